import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalize, joinPages } from "./canonical-text.ts";
import { anyText } from "./testing/any-text.ts";

const space = "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000";
const pythonSpace = new RegExp(`[${space}]+`);
/** The reference implementation: Python's ' '.join(text.split()). */
const toSpaced = (text: string) =>
  text
    .toWellFormed()
    .normalize("NFC")
    .split(pythonSpace)
    .filter((word) => word !== "")
    .join(" ");

/** Returns the blocks of a text as strings. */
function blocksOf(source: string): readonly string[] {
  const { text, blocks } = canonicalize(source);
  return blocks.map((start, at) => text.slice(start, blocks[at + 1]).trimEnd());
}

describe("canonicalize()", () => {
  it.each([
    ["", ""],
    [" \t\r\n\u3000", ""],
    ["Hello World", "Hello World"],
    ["  Hello \t\n World  ", "Hello World"],
    ["a\u0085b\u001cc\u001dd\u001ee\u001ff\u00a0g\u3000h", "a b c d e f g h"],
    ["a\u200bb\ufeffc\u180ed", "a\u200bb\ufeffc\u180ed"],
    ["\ufeff a", "\ufeff a"],
    ["e\u0301 a\u0301\u0323 \u1112\u1161\u11ab", "é ạ́ 한"],
    ["a\u2000b\u2001c", "a b c"],
    [" \u0301a", "\u0301a"],
    ["a\ud83db\ude00c\ud83d\ude00", "a\ufffdb\ufffdc😀"],
    ["\ud83d \ude00", "\ufffd \ufffd"],
  ])("%j becomes %j", (source, text) => {
    expect(canonicalize(source).text).toBe(text);
  });

  it("computes what Python computes, for any text", () => {
    fc.assert(
      fc.property(anyText, (source) => {
        const { text, blocks } = canonicalize(source);
        expect(text).toBe(toSpaced(source));
        expect(blocks.length > 0).toBe(text !== "");
        expect(blocks[0] ?? 0).toBe(0);
        for (const [at, start] of blocks.entries()) {
          expect(start).toBeLessThan(text.length);
          if (at > 0) {
            expect(start).toBeGreaterThan(blocks[at - 1] as number);
            expect(text[start - 1]).toBe(" ");
          }
        }
        expect(canonicalize(text).text).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it("computes the same for large texts, which it splits into chunks", () => {
    // White space, marks and surrogate pairs are shifted over the ends of chunks.
    const filler = "word e\u0301  \ud83d\ude00\n\n\u0301x\u2000 # ";
    for (const shift of [0, 1, 2, 3, 5, 7, 11]) {
      const source = `${"x".repeat(shift)}${filler.repeat(12_000)}`;
      const { text, blocks } = canonicalize(source);
      expect(text === toSpaced(source)).toBe(true);
      expect(blocks).toHaveLength(12_001);
    }
    for (const wide of [" ".repeat(200_000), "\n\n".repeat(100_000), "a".repeat(200_000)]) {
      const source = `${wide}end${wide} e\u0301${wide}`;
      expect(canonicalize(source).text === toSpaced(source)).toBe(true);
    }
  });

  it("finds the same blocks wherever a chunk ends", () => {
    const paragraph = "# Heading\nA line of text\nand another\n- item\n-\n1. first\n---\nafter\n\n";
    const once = blocksOf(paragraph);
    for (const shift of [0, 1, 13, 29, 37, 41, 50]) {
      const blocks = blocksOf(`${"y".repeat(shift)}\n\n${paragraph.repeat(2_000)}`);
      const expected = Array.from({ length: 2_000 }, () => once).flat();
      expect(blocks.slice(shift === 0 ? 0 : 1)).toEqual(expected);
    }
  });

  it.each([
    ["a paragraph behind an empty line", "a b\nc\n\nd", ["a b c", "d"]],
    ["Windows lines", "a\r\nb\r\n\r\nc", ["a b", "c"]],
    ["old lines", "a\rb\r\rc", ["a b", "c"]],
    ["pages and paragraphs by their own marks", "a\fb\u2029c\u2028d\u0085e", ["a", "b", "c d e"]],
    ["spaces in an empty line", "a\n \t\nb", ["a", "b"]],
    ["a heading ends with its line", "# Title\nText goes\non", ["# Title", "Text goes on"]],
    ["a heading below another", "# A\n## B\ntext", ["# A", "## B", "text"]],
    ["a tag is no heading, and begins a block", "text\n#tag more\nand on", ["text", "#tag more and on"]],
    ["headings have six depths", "###### F\ntext\n####### g\ntext", ["###### F", "text", "####### g text"]],
    ["two dashes are no line across", "a\n-- b\n--\nc", ["a -- b -- c"]],
    ["a heading that is underlined", "text\n\nTitle\n=====\nText", ["text", "Title", "=====", "Text"]],
    ["a line across", "above\n***\nbelow", ["above", "***", "below"]],
    ["bold text is no line across", "a\n***bold*** b", ["a ***bold*** b"]],
    ["items", "list:\n- a\n* b\n+ c\n• d\n  - e", ["list:", "- a", "* b", "+ c", "• d", "- e"]],
    ["items by numbers", "list:\n1. a\n22) b\n333. c", ["list:", "1. a", "22) b", "333. c"]],
    ["numbers that end a sentence", "on day\n12. Then\n\n3) c\n4) d", ["on day 12. Then", "3) c", "4) d"]],
    ["numbers that are none", "in\n1.5 or\n20245. x\n12a", ["in 1.5 or 20245. x 12a"]],
    ["a dash in a sentence", "a - b\n-5 degrees", ["a - b -5 degrees"]],
    ["rows of a table", "| a | b |\n|---|---|\n| 1 | 2 |", ["| a | b |", "|---|---|", "| 1 | 2 |"]],
    ["code", "see\n```ts\nlet a;\nlet b;\n```\nend", ["see", "```ts", "let a; let b;", "```", "end"]],
    ["quotes", "he said\n> one\n> two", ["he said", "> one", "> two"]],
    ["leading lines", "\n\n# A\nb", ["# A", "b"]],
    ["nothing", "\n \n", []],
  ])("finds blocks: %s", (_, source, blocks) => {
    expect(blocksOf(source)).toEqual(blocks);
  });
});

describe("joinPages()", () => {
  it("joins pages with an empty line, and returns their offsets", () => {
    expect(joinPages(["One  page. ", "\nTwo\n\nthings", "Three"])).toEqual({
      text: "One page.\n\nTwo things\n\nThree",
      blocks: [0, 11, 15, 23],
      pages: [0, 11, 23],
    });
  });

  it.each([
    ["first", ["", " \n", "a", "b"], { text: "a\n\nb", blocks: [0, 3], pages: [0, 0, 0, 3] }],
    ["in the middle", ["a", "", "", "b"], { text: "a\n\nb", blocks: [0, 3], pages: [0, 3, 3, 3] }],
    ["last", ["a", "b", ""], { text: "a\n\nb", blocks: [0, 3], pages: [0, 3, 6] }],
    ["only", ["", ""], { text: "", blocks: [], pages: [0, 0] }],
    ["none at all", [], { text: "", blocks: [], pages: [] }],
  ])("accepts pages without text: %s", (_, sources, joined) => {
    expect(joinPages(sources)).toEqual(joined);
  });

  it("puts the text of each page at its offset", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constant(""), anyText), { maxLength: 5 }), (sources) => {
        const { text, pages, blocks } = joinPages(sources);
        const texts = sources.map((source) => canonicalize(source).text);
        expect(text).toBe(texts.filter((each) => each !== "").join("\n\n"));
        expect(pages).toHaveLength(sources.length);
        for (const [at, page] of texts.entries())
          if (page !== "") {
            const start = pages?.[at] as number;
            expect(text.startsWith(page, start)).toBe(true);
            expect(blocks).toContain(start);
          }
      }),
    );
  });
});
