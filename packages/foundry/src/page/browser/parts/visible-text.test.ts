import { describe, expect, it } from "vitest";
import { quoted } from "./quoted.ts";
import { shortText, visibleText } from "./visible-text.ts";

describe("visibleText", () => {
  it.each([
    ["plain\n\ttext", "plain\n\ttext"],
    ["\u0000\u001b[31m", "\u2400\u241b[31m"],
    ["a\u202eb\u2066c\u200f", "a\ufffdb\ufffdc\ufffd"],
    ["\u007f\u009b\ufeff", "\ufffd\ufffd\ufffd"],
    ["שלום 👩‍👩‍👧", "שלום 👩‍👩‍👧"],
  ])("shows %j as %j", (text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });
});

describe("quoted", () => {
  const mark = (title: string) => `“\u2068${title}\u2069”`;

  it.each([
    ["Parse the stations", mark("Parse the stations")],
    ["שלום", mark("שלום")],
    ["a\u202eb\u2069c\u0000", mark("a\ufffdb\ufffdc\u2400")],
  ])("keeps the marks around %j in a message, and shows those in it", (title, shown) => {
    expect(shortText(`Completed ${quoted(title)} and ${quoted(title)}`, 300)).toBe(
      `Completed ${shown} and ${shown}`,
    );
  });

  it("is the only form whose marks stay", () => {
    expect(visibleText("\u2068a\u2069 “\u2068b “\u2068\u2067c\u2069”")).toBe(
      "\ufffda\ufffd “\ufffdb “\ufffd\ufffdc\ufffd”",
    );
  });
});

describe("shortText", () => {
  it("shortens long texts, and never in the middle of a character", () => {
    expect(shortText("one\n two", 20)).toBe("one two");
    expect(shortText("x".repeat(500), 10)).toBe(`${"x".repeat(10)}…`);
    expect(shortText(`${"x".repeat(9)}😀${"y".repeat(20)}`, 10).isWellFormed()).toBe(true);
  });
});
