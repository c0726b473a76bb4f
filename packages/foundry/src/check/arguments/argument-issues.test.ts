import { fromUnknown, validationError } from "@foundry-mcp/contract";
import { action, createRegistry, defineTool } from "@foundry-mcp/toolkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Failure, missingArguments, unknownArguments } from "./argument-issues.ts";

const known = ["port", "limit", "boat", "id", "name"];
const failure = (error: string, data: Record<string, unknown> = {}): Failure => ({ error, data });
const both = (told: Failure) => [missingArguments(told, known), unknownArguments(told, known)];

const book = action({
  description: "Books",
  input: z.object({ id: z.string(), limit: z.number(), boat: z.object({ name: z.string() }) }),
  run: () => ({}),
});
const registry = createRegistry({
  name: "harbour",
  version: "1.0.0",
  tools: [defineTool({ name: "berth", version: "1.0.0", description: "Berths", actions: { book } })],
});

describe("the toolkit's own refusals", () => {
  it.each<[Record<string, unknown>, string[], string[]]>([
    [{}, ["action"], []],
    [{ action: "book", id: "a", boat: { name: "b" } }, ["limit"], []],
    [{ action: "book", boat: { name: "b" } }, ["id", "limit"], []],
    [{ action: "book", id: null, limit: 1, boat: { name: "b" } }, ["id"], []],
    [{ action: "book", id: "a", limit: 1, boat: {} }, [], []],
    [{ action: "book", id: 5, limit: 1, boat: { name: "b" } }, [], []],
    [{ action: "book", id: "a", limit: 1, boat: { name: "b" }, port: "c" }, [], ["port"]],
    [{ action: "book", id: "a", limt: 1, boat: { name: "b" }, port: "c" }, ["limit"], ["limt", "port"]],
    [{ action: "bok" }, [], []],
  ])("of %j", async (args, missing, unknown) => {
    const answer = await registry.call("berth", args);
    expect(answer.success).toBe(false);
    expect(both(answer as Failure)).toEqual([missing, unknown]);
  });

  it("as they are thrown by hand", () => {
    const thrown = validationError({ field: "port", constraint: "required" });
    expect(both(fromUnknown(thrown))).toEqual([["port"], []]);
  });
});

describe("the refusals of others", () => {
  it.each<[string, Failure, string[], string[]]>([
    [
      "a code and a field",
      failure("No", { error_code: "MISSING_REQUIRED", details: { field: "port" } }),
      ["port"],
      [],
    ],
    [
      "a field with its type",
      failure("port is required", { details: { field: "port", type: "string" } }),
      ["port"],
      [],
    ],
    ["a list", failure("No", { details: { missing: ["port", "id"] } }), ["port", "id"], []],
    ["quoted names", failure("Missing required parameter 'port'"), ["port"], []],
    ["words", failure("port is required"), ["port"], []],
    ["a remedy", failure("Bad call", { remediation: "Provide port and limit." }), ["port", "limit"], []],
    ["an unknown one", failure("Unexpected argument: port. Use id."), [], ["port"]],
    [
      "a quoted unknown one",
      failure("Additional properties are not allowed ('port' was unexpected)"),
      [],
      ["port"],
    ],
    ["two sentences", failure("limit must be a number; id is required"), ["id"], []],
    ["words that only look like it", failure("The airport is required"), [], []],
    ["nothing of the kind", failure("port must be one of dover, calais"), [], []],
    [
      "zod issues as text",
      failure(
        `MCP error -32602: Invalid arguments for tool tide: ${JSON.stringify(
          [
            {
              code: "invalid_type",
              expected: "string",
              received: "undefined",
              path: ["port"],
              message: "Required",
            },
            {
              code: "invalid_type",
              expected: "number",
              received: "string",
              path: ["limit"],
              message: "Expected number",
            },
            {
              code: "unrecognized_keys",
              keys: ["name"],
              path: [],
              message: "Unrecognized key(s) in object: 'name'",
            },
          ],
          null,
          2,
        )}`,
      ),
      ["port"],
      ["name"],
    ],
    [
      "zod 4 issues",
      failure("Invalid", {
        details: {
          issues: [
            {
              code: "invalid_type",
              path: ["port"],
              message: "Invalid input: expected string, received undefined",
            },
          ],
        },
      }),
      ["port"],
      [],
    ],
    [
      "ajv errors",
      failure("Invalid", {
        details: {
          errors: [
            {
              keyword: "required",
              instancePath: "",
              params: { missingProperty: "port" },
              message: "must have …",
            },
            { keyword: "additionalProperties", instancePath: "", params: { additionalProperty: "name" } },
          ],
        },
      }),
      ["port"],
      ["name"],
    ],
    [
      "pydantic errors",
      failure("Invalid", {
        details: {
          errors: [
            { type: "missing", loc: ["port"], msg: "Field required" },
            { type: "extra_forbidden", loc: ["name"] },
          ],
        },
      }),
      ["port"],
      ["name"],
    ],
    [
      "pydantic's text",
      failure(
        "2 validation errors for call[tide]\nport\n  Missing required argument [type=missing_argument]\nname\n  Unexpected keyword argument [type=unexpected_keyword_argument]",
      ),
      ["port"],
      ["name"],
    ],
    [
      "a place with a prefix",
      failure("No", { details: { field: "arguments.port", constraint: "required" } }),
      ["port"],
      [],
    ],
    [
      "a place in an argument",
      failure("No", { details: { field: "boat.name", constraint: "required" } }),
      [],
      [],
    ],
  ])("as %s", (_name, told, missing, unknown) => {
    expect(both(told)).toEqual([missing, unknown]);
  });

  it("are no reason to throw", () => {
    const key = fc.constantFrom(
      "details",
      "errors",
      "field",
      "constraint",
      "path",
      "params",
      "keys",
      "missing",
      "remediation",
    );
    const data = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: "small" },
        fc.jsonValue({ maxDepth: 1 }),
        fc.array(tie("any"), { maxLength: 3 }),
        fc.dictionary(key, tie("any")),
      ),
    })).any;
    fc.assert(
      fc.property(data, fc.anything(), fc.array(fc.string()), (one, error, names) => {
        const told = failure(error as string, one as Record<string, unknown>);
        for (const found of [missingArguments(told, names), unknownArguments(told, names)]) {
          expect(found.every((name) => typeof name === "string")).toBe(true);
        }
      }),
    );
  });
});
