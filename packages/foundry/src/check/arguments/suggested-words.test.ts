import { errorResponse, fromUnknown, notFound, validationError } from "@foundry-mcp/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { suggestedWords, suggestionsOf } from "./suggested-words.ts";

it.each<[string, string[]]>([
  ["Use dover, calais or ostend.", ["dover", "calais", "ostend"]],
  ["Use dover, calais, or ostend instead.", ["dover", "calais", "ostend"]],
  ["Did you mean port?", ["port"]],
  ["Did you mean book? Use one of: book, list.", ["book", "list"]],
  ["Use one of: a, b, c and 12 more.", ["a", "b", "c"]],
  ["Validation failed: action must be one of list, book", ["list", "book"]],
  ["Available ports: dover, calais", ["dover", "calais"]],
  ["Valid values are 'a', \"b c\" and `d`.", ["a", "b c", "d"]],
  ["Try dover.", ["dover"]],
  ["Name a port, e.g. dover or calais", ["dover", "calais"]],
  ["The port is 'dover'.", ["dover"]],
  ["It isn't the server's fault.", []],
  ["Available offline.", []],
  ["Must be a number.", []],
  ["Choose v1.2 or v1.3.", ["v1.2", "v1.3"]],
  ['List the berths with berth(action="list").', ["list"]],
  ['Choose "b-1", which is free in berth(action="list").', ["b-1", "list"]],
  ["Check your input and try again.", []],
  ["Name a port (e.g. dover)", ["dover"]],
  ["Available: dover (UK), calais (FR)", ["dover", "calais"]],
  ["", []],
])("finds the words in %s", (text, expected) => {
  expect(suggestedWords(text)).toEqual(expected);
});

const tell = (data: Record<string, unknown>, error = "No") => suggestionsOf({ error, data });

describe("suggestionsOf", () => {
  it.each(["expected", "valid", "allowed", "available"])("takes details.%s", (key) => {
    expect(tell({ details: { [key]: ["dover", 7, { odd: 1 }] } })).toEqual(["dover", "7"]);
  });

  it("takes the expected values of each error, but no parameter names", () => {
    const errors = [
      { field: "port", constraint: "enum", expected: ["dover"] },
      { field: "limit", constraint: "type", expected: "a number" },
      { field: "prot", constraint: "unknown", expected: ["port", "limit"] },
      { field: "unit", constraint: "enum", expected: "one of m, ft" },
    ];
    expect(tell({ details: { errors } })).toEqual(["dover", "m", "ft"]);
  });

  it("takes words of the remediation, and only guesses and enumerations of the message", () => {
    expect(tell({ remediation: "Use dover, calais or ostend." })).toEqual(["dover", "calais", "ostend"]);
    expect(tell({}, 'Port "atlantis" is unknown; did you mean "atlanta"?')).toEqual(["atlanta"]);
    expect(tell({}, 'Port "atlantis" is unknown. Use one of: dover, calais.')).toEqual(["dover", "calais"]);
  });

  it("leaves out the value that was sent", () => {
    const details = { received: "atlantis", expected: ["dover"] };
    expect(tell({ details, remediation: '"atlantis" is none: use "dover".' })).toEqual(["dover"]);
  });

  it("reads the failures of this contract", () => {
    const action = validationError(
      { field: "action", constraint: "enum", expected: ["list", "book"], received: "bok" },
      { remediation: "Did you mean book? Use one of: book, list." },
    );
    expect(suggestionsOf(fromUnknown(action))).toEqual(["list", "book"]);
    const berth = notFound("berth", "b-9", { remediation: 'List the berths with berth(action="list").' });
    expect(suggestionsOf(fromUnknown(berth))).toEqual(["list"]);
    expect(
      suggestionsOf(errorResponse("No", { errorCode: "NOT_FOUND", remediation: "Use b-1 or b-2." })),
    ).toEqual(["b-1", "b-2"]);
  });

  it("returns at most ten short words", () => {
    const expected = ["x".repeat(201), ...Array.from({ length: 9 }, (_, index) => `w${index}`), "w0"];
    expect(tell({ details: { expected, valid: ["y1", "y2", "y3"] } })).toEqual([
      ...expected.slice(1, 10),
      "y1",
    ]);
  });

  it("never throws, whatever the failure holds", () => {
    const key = fc.constantFrom("details", "errors", "expected", "remediation", "received", "valid");
    const data = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: "small" },
        fc.jsonValue({ maxDepth: 1 }),
        fc.array(tie("any"), { maxLength: 3 }),
        fc.dictionary(key, tie("any")),
      ),
    })).any;
    fc.assert(
      fc.property(data, fc.anything(), (one, error) => {
        const words = suggestionsOf({ error: error as string, data: one as Record<string, unknown> });
        expect(words.every((word) => typeof word === "string" && word.length <= 200)).toBe(true);
      }),
    );
  });
});
