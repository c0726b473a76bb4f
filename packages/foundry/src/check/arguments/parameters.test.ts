import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileSchema } from "../schemas/compile-schema.ts";
import { parametersOf } from "./parameters.ts";

function check(inputSchema: unknown, name: string, value: unknown) {
  const compiled = compileSchema(parametersOf(inputSchema).find((one) => one.name === name)?.schema);
  return compiled.ok ? compiled.check(value).map(({ path }) => path) : compiled.problem;
}

describe("parametersOf", () => {
  it("lists the properties in their order", () => {
    const schema = {
      type: "object",
      properties: { port: { type: "string" }, limit: { type: "integer" }, any: true, never: false, odd: 5 },
      required: ["port", "port", 7],
    };
    expect(parametersOf(schema)).toEqual([
      { name: "port", schema: { type: "string" }, isRequired: true },
      { name: "limit", schema: { type: "integer" }, isRequired: false },
      { name: "any", schema: {}, isRequired: false },
      { name: "odd", schema: {}, isRequired: false },
    ]);
    expect(parametersOf(schema)).toBe(parametersOf(schema));
  });

  it("lists required parameters without a schema", () => {
    expect(parametersOf({ required: ["toString"] })).toEqual([
      { name: "toString", schema: {}, isRequired: true },
    ]);
  });

  it("keeps the draft", () => {
    const $schema = "http://json-schema.org/draft-07/schema#";
    expect(parametersOf({ $schema, properties: { a: { items: [{ type: "string" }] } } })).toEqual([
      { name: "a", schema: { $schema, items: [{ type: "string" }] }, isRequired: false },
    ]);
  });

  it("adds the definitions that a parameter refers to", () => {
    const $defs = { port: { enum: ["dover"] }, ports: { items: { $ref: "#/$defs/port" } } };
    const properties = { ports: { $ref: "#/$defs/ports" }, text: { type: "string" } };
    expect(parametersOf({ properties, $defs })).toEqual([
      { name: "ports", schema: { $ref: "#/$defs/ports", $defs }, isRequired: false },
      { name: "text", schema: { type: "string" }, isRequired: false },
    ]);
    expect(check({ properties, $defs }, "ports", ["dover", "x"])).toEqual(["$[1]"]);
    const old = { properties: { port: { $ref: "#/definitions/port" } }, definitions: $defs };
    expect(check(old, "port", "x")).toEqual(["$"]);
  });

  it("resolves references to other properties and to the root", () => {
    const schema = {
      properties: {
        from: { type: "string", maxLength: 3 },
        to: { $ref: "#/properties/from" },
        next: { $ref: "#" },
        list: { items: { $ref: "#/$defs/from" } },
      },
      required: ["from"],
      $defs: { from: { $ref: "#/properties/to" } },
    };
    expect(check(schema, "to", "abc")).toEqual([]);
    expect(check(schema, "to", "abcd")).toEqual(["$"]);
    expect(check(schema, "list", ["abc", "abcd"])).toEqual(["$[1]"]);
    expect(check(schema, "next", { from: "a", next: { from: "a" } })).toEqual([]);
    expect(check(schema, "next", { from: "a", next: {} })).toEqual(["$.next"]);
  });

  it("follows a reference at the root, and stops at a cycle", () => {
    const input = { properties: { a: { $ref: "#/$defs/text" } }, required: ["a"] };
    const schema = { $ref: "#/$defs/input", $defs: { input, text: { type: "string" } } };
    expect(parametersOf(schema).map(({ name, isRequired }) => ({ name, isRequired }))).toEqual([
      { name: "a", isRequired: true },
    ]);
    expect(check(schema, "a", 5)).toEqual(["$"]);
    expect(parametersOf({ $ref: "#" })).toEqual([]);
    expect(parametersOf({ $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } })).toEqual([]);
  });

  it("leaves a dangling reference to fail at compilation", () => {
    expect(check({ properties: { a: { $ref: "#/$defs/none" } } }, "a", 1)).toBe(
      "the schema cannot be used: can't resolve reference #/$defs/none from id #",
    );
  });

  it("never throws, whatever comes in", () => {
    const word = fc.constantFrom(
      "properties",
      "required",
      "$ref",
      "$defs",
      "#",
      "#/$defs/a",
      "a",
      "__proto__",
    );
    const schemas = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: "small" },
        fc.oneof(fc.jsonValue({ maxDepth: 1 }), word),
        fc.array(tie("any"), { maxLength: 3 }),
        fc.dictionary(word, tie("any"), { maxKeys: 4 }),
      ),
    })).any;
    fc.assert(
      fc.property(schemas, (schema) => {
        for (const parameter of parametersOf(schema)) expect(typeof parameter.name).toBe("string");
      }),
    );
    for (const none of [null, undefined, 5, "a", [], () => 1]) expect(parametersOf(none)).toEqual([]);
    const circle: Record<string, unknown> = { properties: { a: { $ref: "#" } } };
    circle["self"] = circle;
    expect(parametersOf(circle)).toEqual([
      { name: "a", schema: { $ref: "#/$defs/(input)" }, isRequired: false },
    ]);
  });
});
