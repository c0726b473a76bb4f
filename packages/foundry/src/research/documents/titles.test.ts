import { expect, test } from "vitest";
import { markdownTitle, normalizeTitle, underlinedTitleOf } from "./titles.ts";

test.each([
  ["  a \n\t b\u00a0c  ", "a b c"],
  [" \n ", undefined],
  ["", undefined],
  ["e\u0301", "é"],
  ["\ud800", "�"],
])("a title is one line: %j", (title, tidy) => {
  expect(normalizeTitle(title)).toBe(tidy);
});

test("a title has 200 characters at most", () => {
  expect(normalizeTitle("x".repeat(201))).toBe("x".repeat(200));
  expect(normalizeTitle(`${"x".repeat(199)} yz`)).toBe("x".repeat(199));
  expect(normalizeTitle("😀".repeat(200))).toBe("😀".repeat(200));
  expect(normalizeTitle(`a${"😀".repeat(300)}`)).toBe(`a${"😀".repeat(199)}`);
});

test.each([
  ["# One\n# Two", "One"],
  ["text\n\n  #   One  ##  \n", "One"],
  ["## Second\r\n# First", "First"],
  ["#hash\n#\n# \n# One", "One"],
  ["```sh\n# no\n```\n# One", "One"],
  ["~~~\n```\n# no\n~~~~\n# One", "One"],
  ["---\n# no\ntitle: x\n---\n# One", "One"],
  ["---\r\n# no\r\n---\r\n# One", "One"],
  ["One\n===", undefined],
  ["```\n# never closed", undefined],
])("the title of Markdown is its first heading: %j", (text, title) => {
  expect(markdownTitle(text)).toBe(title);
});

test("the title of Markdown stands at its beginning", () => {
  expect(markdownTitle(`${"\n".repeat(60_000)}# One`)).toBe("One");
  expect(markdownTitle(`${"\n".repeat(70_000)}# Too late`)).toBeUndefined();
});

test.each([
  ["The Janitor\n===========\n\nText.", "The Janitor"],
  ["\n.. index:: log\n   single: file\n.. _label:\n\n****\nLogs\n****\n", "Logs"],
  ["Title\r\n-----\r\ntext", "Title"],
  ["Some text.\n\nTitle\n=====\n", undefined],
  ["Title\n==\n", undefined],
  ["", undefined],
])("the title of a plain text is underlined at its beginning: %j", (text, title) => {
  expect(underlinedTitleOf(text)).toBe(title);
});
