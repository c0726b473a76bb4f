import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseMarkdown } from "./parse-markdown.ts";
import { nastyTexts } from "./testing/nasty-specs.ts";
import { toLines } from "./testing/to-lines.ts";

const linesOf = (text: string) => toLines(parseMarkdown(text).draft);
const lossesOf = (text: string) => parseMarkdown(text).losses.map(({ line, why }) => `${line} ${why}`);
const mega = 5_000_000;

describe("parseMarkdown with any text", () => {
  test("parses it, and reports losses at lines that exist", () => {
    const documents = fc.array(nastyTexts, { maxLength: 12 }).map((parts) => parts.join("\n"));
    fc.assert(
      fc.property(documents, (text) => {
        const { losses } = parseMarkdown(text);
        const count = text.split(/\r\n|\n|\r/).length;
        for (const { line, text: cut } of losses) {
          expect(line).toBeGreaterThan(0);
          expect(line).toBeLessThanOrEqual(count);
          expect([...cut].length).toBeLessThanOrEqual(80);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  /** A parser whose time grows with the square of the length would take far too long for these texts. */
  test.each<[string, string, readonly string[]]>([
    ["one long title", `- [ ] ${" ".repeat(mega)}x`, ["(no title)", "1 - Tasks", "  1 pending x"]],
    ["braces", `# ${"{#".repeat(mega / 2)}`, [`${"{#".repeat(mega / 2)}`]],
    ["hashes", `# ${"#".repeat(mega)}x`, [`${"#".repeat(mega)}x`]],
    ["numbers", `# ${"&#".repeat(mega / 2)}`, [`${"&#".repeat(mega / 2)}`]],
    ["blank lines", "\n".repeat(mega), ["(no title)"]],
    ["rules", `${"- ".repeat(mega / 2)}\n`, ["(no title)"]],
    ["quotes", `${"> ".repeat(mega / 2)}x`, [`(no title) {"description":"${"> ".repeat(mega / 2 - 1)}x"}`]],
  ])("parses 5 MB: %s", (_, text, expected) => {
    expect(linesOf(text)).toEqual(expected);
  });

  test("parses 5 MB: tasks with texts and fields", () => {
    const task =
      "- [x] A task of some length, so that it is like others\n  What it is about\n  - File: src/a.ts\n";
    const count = Math.floor(mega / task.length);
    const [phase] = parseMarkdown(`# Large\n${task.repeat(count)}`).draft.nodes;
    expect(phase?.children.length).toBe(count);
    expect(phase?.children.at(-1)?.fields).toEqual({
      description: "What it is about",
      file_path: "src/a.ts",
    });
  });

  test("refuses more list items than a spec can hold", () => {
    expect(() => parseMarkdown("- a\n".repeat(500_001))).toThrow("more than 500000 items");
  });

  test("places items beyond the nesting limit beside the item above", () => {
    const text = Array.from({ length: 2_000 }, (_, level) => `${" ".repeat(2 * level)}- [ ] a`).join("\n");
    const { draft, losses } = parseMarkdown(text);
    let [depth, node] = [0, draft.nodes[0]];
    for (; node !== undefined; node = node.children.at(-1)) depth += 1;
    expect([depth, losses.length]).toEqual([501, 1_500]);
  });
});

describe("parseMarkdown with various styles", () => {
  test.each<[string, string, readonly string[]]>([
    [
      "a code block keeps what is in it",
      "- [ ] a\n  ```\n  - [ ] b\n  ```\n- [ ] c",
      ['  1 pending a {"description":"```\\n- [ ] b\\n```"}', "  5 pending c"],
    ],
    [
      "a code block ends with its item",
      "- [ ] a\n  ```\n  b\n- [ ] c",
      ['  1 pending a {"description":"```\\nb"}', "  4 pending c"],
    ],
    [
      "four columns are as good as two",
      "1) [ ] a\n    1. [ ] b\n        text",
      ["  1 pending a", '    2 pending b {"description":"text"}'],
    ],
    ["a plain item above boxes is a task", "- Backend\n  - [ ] a", ["  1 - Backend", "    2 pending a"]],
    [
      "a plain item below a box is text",
      "- [ ] a\n  - b\n    - c",
      ['  1 pending a {"description":"- b\\n  - c"}'],
    ],
    [
      "fields may be bold",
      "- [ ] a\n  - **Owner**: ada\n  - __File__: x",
      ['  1 pending a {"owner":"ada","file_path":"x"}'],
    ],
    ["a rule is no heading below a list", "- [ ] a\n---\n- [ ] b", ["  1 pending a", "  3 pending b"]],
  ])("%s", (_, text, expected) => {
    expect(linesOf(text).slice(2)).toEqual(expected);
  });

  test("reports what a spec cannot hold", () => {
    expect(
      lossesOf("# A\n## [x] B\n- [ ] c {.odd}\n  - Owner: x\n  - Owner: y\n- [ ] d\n  - Blocked because: e"),
    ).toEqual([
      "2 Its status is derived from its tasks, so the checkbox is ignored",
      "3 .odd is not a known task type",
      "5 Owner is given above already",
      "6 The task is not blocked, so the reason is ignored",
    ]);
  });
});
