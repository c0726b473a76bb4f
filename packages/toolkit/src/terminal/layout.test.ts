import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Canvas } from "../define/action.ts";
import { age, timeLeft } from "./age.ts";
import { bar, percent } from "./bar.ts";
import { commandLines } from "./command-lines.ts";
import { defaultView } from "./default-view.ts";
import { fields } from "./fields.ts";
import { showsUnicode } from "./glyphs.ts";
import { type Line, prose, render, styled } from "./line.ts";
import { list, section, stack } from "./list.ts";
import { shorten, table } from "./table.ts";
import { widthOf } from "./terminal-text.ts";
import { tree } from "./tree.ts";
import { viewOf } from "./view.ts";

const plain = (text: string) => text;
const canvas = (width?: number, unicode = true): Canvas => ({
  width,
  unicode,
  colors: { bold: (text) => `<b>${text}</b>`, dim: plain, red: plain, green: plain, yellow: plain },
  now: "2026-11-18T12:00:00.000Z",
});

describe("a line", () => {
  const show = (line: Line, width?: number) => render([line], canvas(width));

  it("is wrapped at spaces, below its text", () => {
    expect(show({ lead: ["- "], text: ["one two three four"] }, 11)).toBe("- one two\n  three\n  four\n");
    expect(show({ lead: ["- "], text: ["one two three four"] })).toBe("- one two three four\n");
  });

  it("keeps a word whole as long as the terminal is wide enough for it", () => {
    expect(show({ lead: ["label   "], text: ["an-id-of-20-columns!"] }, 20)).toBe(
      "label\nan-id-of-20-columns!\n",
    );
    expect(show({ lead: ["> "], text: ["x", "y".repeat(20)] }, 10)).toBe("> xyyyyyyy\n  yyyyyyyy\n  yyyyy\n");
  });

  it("is escaped and painted part by part", () => {
    expect(show({ text: [styled("bold", "a\u001b[2J b"), " c\n"] }, 8)).toBe(
      "<b>a\\x1b[2J</b>\n<b>b</b> c\\n\n",
    );
  });

  it("never grows wider than the terminal, and loses nothing but spaces", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 80 }),
        fc.integer({ min: 4, max: 40 }),
        (text, width) => {
          const shown = show({ lead: ["* "], text: [text] }, width);
          for (const row of shown.split("\n")) expect(widthOf(row)).toBeLessThanOrEqual(width);
          const letters = (each: string) => each.replaceAll(/\s/g, "");
          expect(letters(shown)).toBe(letters(`*${text}`));
        },
      ),
    );
  });

  it("of prose keeps its indentation; tabs become spaces", () => {
    expect(render(prose("one\n  two three\n\tfour\n\n"), canvas(9))).toBe("one\n  two\n  three\n    four\n");
  });
});

describe("a table", () => {
  const columns = [
    { head: "id" },
    { head: "title", isProse: true },
    { head: "rank", align: "right" },
  ] as const;
  const rows = [
    [["task-1-1"], ["A title of many words"], ["7"]],
    [["語"], ["Short"], ["12"]],
  ];
  const show = (width?: number) => {
    const lines = table(columns, rows, canvas(width));
    return lines === undefined
      ? undefined
      : render(lines, { ...canvas(width), colors: { ...canvas().colors, bold: plain } });
  };

  it("aligns its columns, and shortens prose alone", () => {
    expect(show()).toBe(
      "id        title                  rank\ntask-1-1  A title of many words     7\n語        Short                    12\n",
    );
    expect(show(34)).toBe(
      "id        title               rank\ntask-1-1  A title of many w…     7\n語        Short                 12\n",
    );
  });

  it("gives up where an id would have to be cut", () => {
    expect(show(31)).toBeUndefined();
    const long = [[["an-id-of-more-than-16-columns"], ["Short"], ["1"]]];
    expect(table(columns, long, canvas(35))).toBeUndefined();
  });

  it("shortens with three dots where the locale has no ellipsis", () => {
    expect(shorten("A title of many words", 10, canvas(80, false))).toBe("A title...");
    expect(shorten("A title of many words", 10, canvas(80))).toBe("A title o…");
  });
});

it("draws a tree, from wherever its page begins", () => {
  const nodes = [1, 2, 3, 2, 1].map((depth, at) => ({ depth, text: [`node ${at}`] }));
  expect(render(tree(nodes, canvas()), canvas())).toBe(
    "node 0\n├─ node 1\n│  └─ node 2\n└─ node 3\nnode 4\n",
  );
  const one = tree(
    [
      { depth: 0, text: ["a"] },
      { depth: 1, text: ["b c d e f g"] },
    ],
    canvas(9, false),
  );
  expect(render(one, canvas(9))).toBe("a\n`- b c d\n   e f g\n");
});

it("fills a bar only when all is done", () => {
  const show = (done: number, total: number) => render([{ text: bar(done, total, 4, canvas()) }], canvas());
  expect([show(0, 0), show(1, 3), show(999, 1_000), show(3, 3), show(9, 3)]).toEqual([
    "░░░░\n",
    "█░░░\n",
    "███░\n",
    "████\n",
    "████\n",
  ]);
  expect([percent(999, 1_000), percent(0, 0), percent(2, 2)]).toEqual(["99 %", "0 %", "100 %"]);
});

it("puts values beside their names, and behind them on a narrow terminal", () => {
  const rows = [
    ["Id", "a-1"],
    ["Missing", undefined],
    ["Notes", prose("one\ntwo")],
  ] as const;
  expect(render(fields(rows, canvas(80)), canvas(80))).toBe("Id     a-1\nNotes  one\n       two\n");
  expect(render(fields(rows, canvas(40)), canvas(40))).toBe("Id: a-1\nNotes:\n  one\n  two\n");
});

it("continues a long command so that it can be copied", () => {
  const command = "tool act --first one --note 'two words' --last three";
  expect(render(commandLines(command, canvas(30)), canvas(30))).toBe(
    "tool act --first one --note \\\n    'two words' --last three\n",
  );
  expect(render(commandLines(command, canvas()), canvas())).toBe(`${command}\n`);
});

it("stacks sections, and leaves out empty ones", () => {
  const lines = stack(
    section("Some", list(["a", "b\nc"], canvas())),
    section("None", []),
    section("More", list(["d"], canvas())),
  );
  expect(render(lines, canvas())).toBe("<b>Some</b>\n  • a\n  • b\n    c\n\n<b>More</b>\n  • d\n");
});

it.each([
  ["2026-11-18T11:59:30Z", "just now", "expired"],
  ["2026-11-18T11:58:59Z", "1 minute ago", "expired"],
  ["2026-11-18T09:00:00Z", "3 hours ago", "expired"],
  ["2026-11-10T12:00:00Z", "1 week ago", "expired"],
  ["2024-01-01T00:00:00Z", "2 years ago", "expired"],
  ["2026-11-18T12:15:00Z", "just now", "for 15 minutes"],
  ["no time", "", ""],
])("counts from now: %s", (iso, ago, left) => {
  expect([age(iso, canvas()), timeLeft(iso, canvas())]).toEqual([ago, left]);
});

it.each([
  [{}, true],
  [{ LANG: "de_DE.UTF-8" }, true],
  [{ LANG: "C.utf8" }, true],
  [{ LANG: "C" }, false],
  [{ LC_ALL: "POSIX", LANG: "C.UTF-8" }, false],
  [{ LC_ALL: "", LC_CTYPE: "en_US.UTF-8", LANG: "C" }, true],
  [{ LANG: "C.UTF-8", TERM: "dumb" }, false],
])("draws with Unicode where the locale has it: %j", (env, isShown) => {
  expect(showsUnicode(env)).toBe(isShown);
});

it("shows any payload without JSON", () => {
  const data = {
    rows: [{ id: "a", parts: [{ x: 1 }], tags: ["p", "q"] }],
    none: {},
    texts: ["two words", "three"],
  };
  expect(
    render(defaultView(data, canvas()), { ...canvas(), colors: { ...canvas().colors, bold: plain } }),
  ).toBe(
    "rows:\n  id: a\n  parts:\n    x\n    1\n  tags: p, q\nnone: none\ntexts:\n  - two words\n  - three\n",
  );
});

it("leaves failures and unchanged answers to the default", () => {
  const show = viewOf(() => () => [{ text: ["seen"] }]);
  expect(show({ success: true, data: {} }, canvas())).toBe("seen\n");
  expect(show({ success: false, data: {} }, canvas())).toBeUndefined();
  expect(show({ success: true, data: { unchanged: true } }, canvas())).toBeUndefined();
  expect(viewOf(() => () => [], { failures: true })({ success: false, data: {} }, canvas())).toBeUndefined();
});
