import { describe, expect, it } from "vitest";
import { parseHeader } from "./parse-header.ts";
import { refusalOf } from "./testing/refusal.ts";

const env = { API_TOKEN: "abc-123-xyz", BROKEN: "two\r\nlines", EMPTY: "" };
const example = `'Authorization: Bearer \${API_TOKEN}'`;

describe("a header of the command line", () => {
  it.each([
    [
      `Authorization: Bearer \${API_TOKEN}`,
      "Authorization",
      "Bearer abc-123-xyz",
      ["abc-123-xyz", "Bearer abc-123-xyz"],
    ],
    ["X-Api-Key:literal-key", "X-Api-Key", "literal-key", ["literal-key"]],
    ["X-Region:  eu:west ", "X-Region", "eu:west", []],
    [`X-Region: \${NONE:-north}`, "X-Region", "north", []],
    [`X-Any: \${API_TOKEN}`, "X-Any", "abc-123-xyz", ["abc-123-xyz"]],
  ])("%s", (text, name, value, secrets) => {
    expect(parseHeader(text, env)).toEqual({ name, value, secrets });
  });

  it.each([
    ["Bearer abc-123-xyz", "it has no colon, wanted Name: value", `Write --header ${example}.`],
    ["My Header: a", '"My Header" is not a valid header name', `Write it as in ${example}.`],
    [": a", '"" is not a valid header name', `Write it as in ${example}.`],
    ["A\nB: a", '"A\\nB" is not a valid header name', `Write it as in ${example}.`],
    ["A:", "A has no value", `Write it as in ${example}.`],
    [`A: \${EMPTY}`, "A has no value", `Write it as in ${example}.`],
    ...["A: a\nb", `A: \${BROKEN}`, "A: 語"].map((text): [string, string, string] => [
      text,
      "the value of A contains a line break or another character that is not allowed in a header",
      "Give A a value of one line of Latin characters.",
    ]),
  ])("%j is refused", async (text, why, remediation) => {
    expect(await refusalOf(() => parseHeader(text, env))).toEqual({
      code: "INVALID_FORMAT",
      message: `Cannot read --header: ${why}`,
      remediation,
      field: "--header",
    });
  });

  it("is refused where its variables are not set", async () => {
    expect(await refusalOf(() => parseHeader(`A: \${ONE} \${TWO}`, env))).toEqual({
      code: "VALIDATION_ERROR",
      message: "Cannot read --header: the header A needs ONE, TWO, which are not set in the environment",
      remediation: `Set ONE, TWO in the environment, or write a default as \${ONE:-default}.`,
      field: "--header",
    });
  });
});
