import { expect, test } from "vitest";
import { joinLines, type PositionedText } from "./pdf-lines.ts";

const item = (str: string, x: number, y: number, own: Partial<PositionedText> = {}): PositionedText => ({
  str,
  dir: "ltr",
  transform: [12, 0, 0, 12, x, y],
  hasEOL: false,
  ...own,
});
const line = (str: string, y: number) => item(str, 50, y, { hasEOL: true });

test("joins lines, with an empty line at a larger gap", () => {
  const items = [
    line("Head", 800),
    line("One", 760),
    line("two", 746),
    item("Th", 50, 732),
    line("ree", 732),
    line("Four", 700),
    line("five", 686),
  ];
  expect(joinLines(items)).toBe("Head\n\nOne\ntwo\nThree\n\nFour\nfive\n");
});

test("finds no paragraphs where all gaps are equal, or at a new column", () => {
  expect(joinLines([line("a", 800), line("b", 760), line("c", 720)])).toBe("a\nb\nc\n");
  expect(joinLines([line("a", 800), line("b", 786), line("c", 800), line("d", 786)])).toBe("a\nb\nc\nd\n");
  expect(joinLines([line("a", 800), line(" ", 500), line("b", 786)])).toBe("a\n \nb\n");
});

test("returns an empty text for a page without items", () => {
  expect(joinLines([])).toBe("");
});

test("sorts the items of a right-to-left line in reading order", () => {
  const rtl = { dir: "rtl" };
  const items = [
    item("third", 10, 9, rtl),
    item(" ", 20, 9),
    item("Big", 30, 9),
    item(" ", 40, 9),
    item("Co", 50, 9),
    item(" ", 60, 9),
    item("second", 70, 9, rtl),
    item(" ", 80, 9),
    item("first", 90, 9, rtl),
  ];
  expect(joinLines(items)).toBe("first second Big Co third");
  expect(joinLines(items.toReversed())).toBe("first second Big Co third");
});

test("keeps the order of left-to-right and rotated lines", () => {
  const word = item("سلام", 50, 9, { dir: "rtl" });
  expect(joinLines([item("says ", 10, 9), word, item(" to", 90, 9)])).toBe("says سلام to");
  const turned = { dir: "rtl", transform: [0, 12, -12, 0, 10, 9] };
  expect(
    joinLines([item("a", 0, 0, turned), item("b", 0, 0, { ...turned, transform: [0, 12, -12, 0, 30, 9] })]),
  ).toBe("ab");
});
