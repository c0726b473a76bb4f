import { describe, expect, it } from "vitest";
import { refusalOf } from "../../servers/testing/refusal.ts";
import { parseCalls } from "./calls-file.ts";

const toml = `
[values]
port = ["dover", "calais"]
limit = 5

[[calls]]
name = "a port that is there"
tool = "tide"
arguments = { port = "dover", on = 2027-01-31, at = 2027-01-31T12:00:00Z, levels = [6.7, 7] }
expect = "success"
data = { metres = 6.7 }

[[calls]]
tool = "tide"
error_code = "NOT_FOUND"

[[calls]]
tool = "tide"
`;
const json = JSON.stringify({
  values: { port: ["dover", "calais"], limit: 5 },
  calls: [
    {
      name: "a port that is there",
      tool: "tide",
      arguments: { port: "dover", on: "2027-01-31", at: "2027-01-31T12:00:00.000Z", levels: [6.7, 7] },
      expect: "success",
      data: { metres: 6.7 },
    },
    { tool: "tide", error_code: "NOT_FOUND" },
    { tool: "tide" },
  ],
});
const parsed = {
  values: new Map<string, unknown>([
    ["port", ["dover", "calais"]],
    ["limit", [5]],
  ]),
  calls: [
    {
      name: "a port that is there",
      tool: "tide",
      arguments: { port: "dover", on: "2027-01-31", at: "2027-01-31T12:00:00.000Z", levels: [6.7, 7] },
      expect: "success",
      data: { metres: 6.7 },
    },
    { tool: "tide", arguments: {}, expect: "failure", errorCode: "NOT_FOUND" },
    { tool: "tide", arguments: {} },
  ],
};

describe("a calls file", () => {
  it.each([
    ["calls.toml", toml],
    ["calls.json", json],
    ["CALLS.TOML", `\uFEFF${toml}`],
    ["calls", toml],
    ["calls", `\n ${json}`],
  ])("is read from %s", (file, text) => {
    expect(parseCalls(text, { file })).toEqual(parsed);
  });

  it("may hold values alone, or no calls", () => {
    expect(parseCalls('{"values":{"id":null}}', { file: "a.json" })).toEqual({
      calls: [],
      values: new Map([["id", [null]]]),
    });
    expect(parseCalls("calls = []", { file: "a.toml" })).toEqual({ calls: [], values: new Map() });
    expect(parseCalls("search = true\ncalls = []", { file: "a.toml" })).toEqual({
      search: true,
      calls: [],
      values: new Map(),
    });
  });

  const keys = "name, tool, arguments, expect, error_code, data";
  it.each([
    [{ calls: [{ tool: "a" }, { tool: 1 }] }, "INVALID_FORMAT", "calls[1].tool", "must be a text"],
    [{ calls: [{}] }, "MISSING_REQUIRED", "calls[0].tool", "is required"],
    [{ calls: [{ tool: "" }] }, "VALIDATION_ERROR", "calls[0].tool", "must not be empty"],
    [
      { calls: [{ tool: "a", args: {} }] },
      "VALIDATION_ERROR",
      "calls[0].args",
      `is not a known key; the keys are ${keys}`,
    ],
    [{ calls: [], search: 1 }, "INVALID_FORMAT", "search", "must be true or false"],
    [
      { calls: [], value: {} },
      "VALIDATION_ERROR",
      "value",
      "is not a known key; the keys are search, calls, values",
    ],
    [
      { calls: [{ tool: "a", expect: "ok" }] },
      "VALIDATION_ERROR",
      "calls[0].expect",
      'must be "success" or "failure"',
    ],
    [{ calls: [{ tool: "a", arguments: [] }] }, "INVALID_FORMAT", "calls[0].arguments", "must be an object"],
    [{ calls: [{ tool: "a", data: 1 }] }, "INVALID_FORMAT", "calls[0].data", "must be an object"],
    [{ calls: ["a"] }, "INVALID_FORMAT", "calls[0]", "must be an object"],
    [{ calls: {} }, "INVALID_FORMAT", "calls", "must be a list of calls"],
    [{}, "MISSING_REQUIRED", "calls", "is required if there are no values"],
    [[], "INVALID_FORMAT", "the whole", "must be an object"],
    [
      { values: { port: { a: 1 } } },
      "VALIDATION_ERROR",
      "values.port",
      "must be a text, a number, true, false, null, or a list of these",
    ],
    [
      { calls: [{ tool: "a", expect: "success", error_code: "X" }] },
      "VALIDATION_ERROR",
      "calls[0].error_code",
      'is given, and calls[0].expect is "success": only failures have a code',
    ],
  ])("is refused: %j", async (content, code, field, why) => {
    expect(await refusalOf(() => parseCalls(JSON.stringify(content), { file: "calls.json" }))).toEqual({
      code,
      message: `Cannot read the calls file "calls.json": ${field} ${why}`,
      remediation: `Correct ${field} in the calls file "calls.json".`,
      field,
    });
  });

  it.each([
    ["calls.toml", "[[calls]]\ntool = ", "TOML", 2, 8],
    ["calls", '[[calls]]\ntool = "a" b', "TOML", 2, 12],
    ["calls.json", '{"calls": [\n{"tool" 1}]}', "JSON", 2, 9],
    ["calls", "{'calls': []}", "JSON", 1, 2],
    ["calls.json", toml, "JSON", 2, 2],
  ])("is refused with the place of what is no syntax: %s", async (file, text, format, line, column) => {
    expect(await refusalOf(() => parseCalls(text, { file }))).toEqual({
      code: "INVALID_FORMAT",
      message: `Cannot read the calls file "${file}": it is not ${format}, see line ${line}, column ${column}`,
      remediation: `Correct the calls file "${file}" at line ${line}, column ${column}.`,
      field: "the whole",
    });
  });

  it("is refused with NaN or infinity", async () => {
    const text = '[[calls]]\ntool = "a"\narguments = { list = [1, inf] }';
    expect(await refusalOf(() => parseCalls(text, { file: "a.toml" }))).toMatchObject({
      code: "VALIDATION_ERROR",
      message:
        'Cannot read the calls file "a.toml": calls[0].arguments.list[1] is Infinity, which no call can send',
    });
  });

  it.each([
    ["a dotted key", `${Array.from({ length: 100_000 }, () => "a").join(".")} = 1`],
    ["a dotted key of infinity", `${Array.from({ length: 100_000 }, () => "a").join(".")} = inf`],
    ["lists", `a = ${"[".repeat(100_000)}${"]".repeat(100_000)}`],
    ["lists without an end", `a = ${"[".repeat(100_000)}`],
    ["inline tables", `a = ${"{a=".repeat(100_000)}1${"}".repeat(100_000)}`],
    ["a table", `[calls.arguments.${Array.from({ length: 100_000 }, () => "a").join(".")}]`],
  ])("is refused where it nests too deeply: %s", async (_, line) => {
    const text = `[[calls]]\ntool = "t"\n[calls.arguments]\n${line}`;
    expect(await refusalOf(() => parseCalls(text, { file: "a.toml" }))).toMatchObject({
      code: "VALIDATION_ERROR",
      message: 'Cannot read the calls file "a.toml": it nests lists and objects deeper than 1,000 levels',
    });
  });

  it("is refused where its JSON nests too deeply", async () => {
    for (const text of [
      "[".repeat(100_000) + "]".repeat(100_000),
      `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`,
    ])
      expect(await refusalOf(() => parseCalls(text, { file: "a.json" }))).toMatchObject({
        code: "VALIDATION_ERROR",
        message: 'Cannot read the calls file "a.json": it nests lists and objects deeper than 1,000 levels',
      });
  });
});
