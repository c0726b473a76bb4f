import { describe, expect, it } from "vitest";
import { checkHostilePayloads } from "./hostile-payloads.ts";
import { answers, canvasOf, commands, showAnswer, withoutColors } from "./shown-answers.ts";

const named = Object.entries(answers);

describe("the views of real answers", () => {
  it.each(named)("shows %s", async (name, answer) => {
    const shown = [
      ["40 columns", showAnswer(answer, canvasOf(40))],
      ["80 columns", showAnswer(answer, canvasOf(80))],
      ["120 columns", showAnswer(answer, canvasOf(120))],
      ["80 columns of ASCII", showAnswer(answer, canvasOf(80, { unicode: false }))],
      [
        "80 columns in color",
        showAnswer(answer, canvasOf(80, { isColored: true })).replaceAll("\u001b", "␛"),
      ],
    ];
    const page = shown.map(([title, text]) => `==== ${title} ====\n${text}`).join("\n");
    await expect(page).toMatchFileSnapshot(`shown/${name}.txt`);
  });

  it.each(named)("%s: the colors change nothing but the colors", (_name, answer) => {
    expect(withoutColors(showAnswer(answer, canvasOf(80, { isColored: true })))).toBe(
      showAnswer(answer, canvasOf(80)),
    );
  });

  it.each(named)("%s: what we draw is ASCII where the locale is", (_name, answer) => {
    expect(showAnswer(answer, canvasOf(80, { unicode: false }))).toMatch(/^[\n\x20-\x7e]+$/);
  });

  it.each(named)("%s: no JSON is shown", (_name, answer) => {
    expect(showAnswer(answer, canvasOf(80))).not.toMatch(/[{[]"|"\s*:\s*["\d{[]/);
  });

  it.each(named)("%s: an id is never cut", (_name, answer) => {
    const wide = showAnswer(answer, canvasOf(undefined));
    for (const width of [40, 80]) {
      const words = new Set(showAnswer(answer, canvasOf(width)).split(/\s+/));
      expect(idsOf(wide).filter((id) => id.length <= width && !words.has(id))).toEqual([]);
    }
  });
});

/** Returns the words of a text that look like ids, revisions or hashes. */
function idsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => /\d/.test(word) && /[-_:]/.test(word));
}

it("has a view for every command, or its payload is shown as it is", () => {
  const without = commands.filter(({ show }) => show === undefined).map(({ names: [name] }) => name);
  expect(without.toSorted()).toEqual([
    "config edit",
    "config get",
    "config path",
    "config set",
    "config unset",
    "jobs cancel",
    "jobs list",
    "jobs show",
    "merge-driver",
    "server capabilities",
    "server capability-negotiate",
    "server context",
    "server flags",
    "server health",
    "server schema",
    "specs schema",
    "store migrate",
  ]);
});

it("bears any payload", () => {
  checkHostilePayloads(300);
});
