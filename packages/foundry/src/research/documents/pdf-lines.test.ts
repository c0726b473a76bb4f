import { expect, test } from "vitest";
import { joinLines, type PositionedText } from "./pdf-lines.ts";

const piece = (str: string, x: number, y: number, own: Partial<PositionedText> = {}): PositionedText => ({
  str,
  dir: "ltr",
  transform: [12, 0, 0, 12, x, y],
  hasEOL: false,
  ...own,
});
const line = (str: string, y: number) => piece(str, 50, y, { hasEOL: true });

test("lines are lines, and a larger gap is an empty one", () => {
  const pieces = [
    line("Head", 800),
    line("One", 760),
    line("two", 746),
    piece("Th", 50, 732),
    line("ree", 732),
    line("Four", 700),
    line("five", 686),
  ];
  expect(joinLines(pieces)).toBe("Head\n\nOne\ntwo\nThree\n\nFour\nfive\n");
});

test("lines that all stand apart are not apart, and neither are columns", () => {
  expect(joinLines([line("a", 800), line("b", 760), line("c", 720)])).toBe("a\nb\nc\n");
  expect(joinLines([line("a", 800), line("b", 786), line("c", 800), line("d", 786)])).toBe("a\nb\nc\nd\n");
  expect(joinLines([line("a", 800), line(" ", 500), line("b", 786)])).toBe("a\n \nb\n");
});

test("a page without pieces has no text", () => {
  expect(joinLines([])).toBe("");
});

test("pieces of a line that is read leftwards are put in their order, however they come", () => {
  const rtl = { dir: "rtl" };
  const pieces = [
    piece("third", 10, 9, rtl),
    piece(" ", 20, 9),
    piece("Big", 30, 9),
    piece(" ", 40, 9),
    piece("Co", 50, 9),
    piece(" ", 60, 9),
    piece("second", 70, 9, rtl),
    piece(" ", 80, 9),
    piece("first", 90, 9, rtl),
  ];
  expect(joinLines(pieces)).toBe("first second Big Co third");
  expect(joinLines(pieces.toReversed())).toBe("first second Big Co third");
});

test("a word of such a script in another line stays where it is, and so does what is turned", () => {
  const word = piece("سلام", 50, 9, { dir: "rtl" });
  expect(joinLines([piece("says ", 10, 9), word, piece(" to", 90, 9)])).toBe("says سلام to");
  const turned = { dir: "rtl", transform: [0, 12, -12, 0, 10, 9] };
  expect(
    joinLines([piece("a", 0, 0, turned), piece("b", 0, 0, { ...turned, transform: [0, 12, -12, 0, 30, 9] })]),
  ).toBe("ab");
});
