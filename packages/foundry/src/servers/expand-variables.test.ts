import { describe, expect, it } from "vitest";
import { expandVariables } from "./expand-variables.ts";

const env = { TOKEN: "s3cret-token", SHORT: "abc", EMPTY: "", GONE: undefined };
const expand = (text: string) => {
  const { text: expanded, missing, secrets } = expandVariables(text, env);
  return [expanded, missing, secrets];
};

/** Returns a reference to a variable. The text is composed, so that it is not mistaken for a template. */
const ref = (inner: string) => `\${${inner}}`;

describe("variables in a text", () => {
  it.each([
    ["plain $TOKEN {TOKEN}", "plain $TOKEN {TOKEN}", [], []],
    [`Bearer ${ref("TOKEN")}`, "Bearer s3cret-token", [], ["s3cret-token"]],
    [`${ref("TOKEN")}/${ref("TOKEN")}`, "s3cret-token/s3cret-token", [], ["s3cret-token"]],
    [ref("TOKEN:-other"), "s3cret-token", [], ["s3cret-token"]],
    [ref("env:TOKEN"), "s3cret-token", [], ["s3cret-token"]],
    [ref("NONE:-a:-b"), "a:-b", [], []],
    [ref("NONE:-"), "", [], []],
    [ref("SHORT"), "abc", [], []],
    [ref("EMPTY"), "", [], []],
    [`${ref("EMPTY:-default")}|`, "|", [], []],
    [
      `a${ref("NONE")}b${ref("GONE")}${ref("NONE")}`,
      `a${ref("NONE")}b${ref("GONE")}${ref("NONE")}`,
      ["NONE", "GONE"],
      [],
    ],
    [ref("constructor"), ref("constructor"), ["constructor"], []],
    [ref(""), ref(""), [], []],
    [ref("input:key"), ref("input:key"), ["input:key"], []],
  ])("%s", (written, text, missing, secrets) => {
    expect(expand(written)).toEqual([text, missing, secrets]);
  });

  it("are not expanded in values", () => {
    expect(expandVariables(ref("A"), { A: ref("B"), B: "no" }).text).toBe(ref("B"));
  });

  it("are returned with their names", () => {
    expect(
      expandVariables(`${ref("TOKEN")} ${ref("SHORT")} ${ref("NONE:-long default")}`, env).variables,
    ).toEqual([{ name: "TOKEN", value: "s3cret-token" }]);
  });
});
