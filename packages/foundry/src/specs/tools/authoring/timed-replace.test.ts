import { isContractError } from "@foundry-mcp/contract";
import { describe, expect, test } from "vitest";
import type { ReplaceableText } from "../../model/changes/find-replace.ts";
import { loadCreateReplace, type Pattern } from "./timed-replace.ts";

const textsOf = (...texts: readonly string[]): readonly ReplaceableText[] =>
  texts.map((text, index) => ({ node_id: `task-1-${index + 1}`, field: "title", text, paths: [] }));

const run = async (pattern: Pattern, texts: readonly string[], ms?: number) =>
  (await loadCreateReplace(ms))(pattern)(textsOf(...texts));

const failure = async (pattern: Pattern, texts: readonly string[], ms?: number) => {
  try {
    await run(pattern, texts, ms);
  } catch (error) {
    if (isContractError(error)) return { code: error.code, message: error.message, ...error.options.details };
    throw error;
  }
  throw new Error("It did not fail");
};

describe("a replacement", () => {
  test.each<[Pattern, string, string, number]>([
    [{ find: "a.c", replace: "$1$&" }, "a.c abc a.c", "$1$& abc $1$&", 2],
    [{ find: "\\^$.*+?()[]{}|/-", replace: "x" }, "1\\^$.*+?()[]{}|/-2", "1x2", 1],
    [{ find: "Ä", replace: "x", case_sensitive: false }, "äÄ", "xx", 2],
    [{ find: "a", replace: "b" }, "A", "A", 0],
    [
      { find: "(\\w)(\\d)?", replace: "<$1|$2|$3|$$|$&>", use_regex: true },
      "a b1",
      "<a||$3|$|a> <b|1|$3|$|b1>",
      2,
    ],
    [{ find: "(?<n>b)", replace: "$<n>$<n>$<m>", use_regex: true }, "abc", "abbc", 1],
    [{ find: "b", replace: "$<n>$0", use_regex: true }, "abc", "a$<n>$0c", 1],
    [{ find: "x*", replace: "-", use_regex: true }, "ab", "-a-b-", 3],
    [{ find: ".", replace: "-", use_regex: true }, "😀a", "--", 2],
    [{ find: "^b", replace: "-", use_regex: true }, "a\nb", "a\nb", 0],
  ])("of %j in %j", async (pattern, before, text, count) => {
    expect(await run(pattern, [before])).toEqual([{ text, count }]);
  });

  test.each(["\\1 x", "x \\g<name>"])("with the group %j of another language is refused", async (replace) => {
    expect(await failure({ find: "(b)", replace, use_regex: true }, ["abc"])).toMatchObject({
      code: "VALIDATION_ERROR",
      field: "replace",
    });
    expect(await run({ find: "b", replace }, ["abc"])).toEqual([{ text: `a${replace}c`, count: 1 }]);
  });

  test("leaves what is not found as it is", async () => {
    expect(await run({ find: "z", replace: "" }, ["a", "", "z"])).toEqual([
      { text: "a", count: 0 },
      { text: "", count: 0 },
      { text: "", count: 1 },
    ]);
  });
});

describe("what is stopped and named", () => {
  const many = `${"a".repeat(200)}!`;
  test.each([
    ["(a+)+$", many],
    ["(a|a)*$", many],
    ["(a|aa)+$", many],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", "a".repeat(200)],
    ["(.*)*(.*)*(.*)*=", `${"x=".repeat(0)}${"x".repeat(5_000)}`],
    ["(?:a{1,1000}){1,1000}b", "a".repeat(20_000)],
  ])("%s", async (find, text) => {
    expect(await failure({ find, replace: "", use_regex: true }, ["fine", text], 50)).toMatchObject({
      code: "INVALID_FORMAT",
      message: `Cannot look for "${find}" in the title of task-1-2: it was stopped after 50 ms, and nothing was changed`,
      field: "find",
      constraint: "time_limit",
      pattern: find,
      node_id: "task-1-2",
    });
  });

  test("all patterns of one call share the time", async () => {
    const createReplace = await loadCreateReplace(50);
    const evil = createReplace({ find: "(a+)+$", replace: "", use_regex: true });
    for (let time = 0; time < 20; time++) expect(() => evil(textsOf(many))).toThrow("was stopped");
    const plain = createReplace({ find: "a", replace: "b" });
    expect(plain(textsOf("a"))).toEqual([{ text: "b", count: 1 }]);
  });

  test.each([
    ["(", /Unterminated group/],
    ["[z-a]", /Range out of order/],
    ["\\p{Nope}", /Invalid property name/],
    ["(?<a>x)(?<a>y)", /Duplicate capture group name/],
    ["a{9999999999}{2}", /Nothing to repeat/],
  ])("%s is no pattern", async (find, why) => {
    const told = await failure({ find, replace: "", use_regex: true }, ["x"]);
    expect(told).toMatchObject({ code: "INVALID_FORMAT", constraint: "regex", pattern: find });
    expect(told.message).toMatch(why);
  });

  test("more than a thousand places are too many, over all texts", async () => {
    const find = { find: "a", replace: "b" };
    const texts = ["a".repeat(600), "a".repeat(400)];
    expect((await run(find, texts)).map(({ count }) => count)).toEqual([600, 400]);
    expect(await failure(find, [...texts, "a"])).toMatchObject({
      code: "CONTENT_TOO_LARGE",
      constraint: "max_replacements",
      limit: 1_000,
    });
  });

  test("a few signs do not grow into gigabytes", async () => {
    const pattern = { find: ".+", replace: "$&".repeat(500), use_regex: true };
    const [made] = await run(pattern, [Array(900).fill("x".repeat(20)).join("\n")]);
    expect(made?.text.length).toBeLessThan(200_000);
  });
});
