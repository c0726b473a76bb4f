import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyEnvelope, anyEnvelopeV1, jsonValue } from "../testing/arbitraries.ts";
import { compileSchema, type JsonSchema } from "./compile-schema.ts";
import { jsonSchemaOf, schemaNames } from "./json-schemas.ts";

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });

/** A valid value with one place changed to anything: where most faults lie. */
const nearlyValid = fc
  .tuple(
    fc.oneof(anyEnvelope, anyEnvelopeV1),
    fc.array(fc.nat(5), { minLength: 1, maxLength: 4 }),
    jsonValue,
    fc.boolean(),
  )
  .map(([value, path, replacement, isRemoved]) => {
    const copy = JSON.parse(JSON.stringify(value)) as unknown;
    let place = copy as Record<string, unknown>;
    for (const [depth, step] of path.entries()) {
      const keys = Object.keys(place);
      const key = keys[step % Math.max(1, keys.length)];
      if (key === undefined) break;
      const inner = place[key];
      if (depth === path.length - 1 || typeof inner !== "object" || inner === null) {
        if (isRemoved) delete place[key];
        else
          Object.defineProperty(place, key, {
            value: replacement,
            enumerable: true,
            configurable: true,
            writable: true,
          });
        break;
      }
      place = inner as Record<string, unknown>;
    }
    return copy;
  });

describe("compileSchema", () => {
  it.each(schemaNames)("agrees with ajv on %s", (name) => {
    const schema = jsonSchemaOf(name);
    const compiled = compileSchema(schema);
    const validate = ajv.compile(schema);
    fc.assert(
      fc.property(fc.oneof(jsonValue, nearlyValid, anyEnvelope, anyEnvelopeV1), (value) => {
        const isValid = validate(value);
        expect(compiled.is(value)).toBe(isValid);
        expect(compiled.problems(value).length === 0).toBe(isValid);
      }),
      { numRuns: 500 },
    );
  });

  it("counts code points, as JSON Schema asks", () => {
    const compiled = compileSchema({ type: "string", minLength: 2, maxLength: 2 });
    expect([compiled.is("😀😀"), compiled.is("😀"), compiled.is("😀😀😀")]).toEqual([true, false, false]);
  });

  it("names every problem with its place, keyword and rule", () => {
    const schema: JsonSchema = {
      type: "object",
      $comment: "R1",
      required: ["a"],
      properties: { b: { type: "array", $comment: "R2", items: { type: "integer", minimum: 3 } } },
      additionalProperties: false,
    };
    expect(compileSchema(schema).problems({ b: [1, "x", 4], "c d": 1 })).toEqual([
      { path: "$.b[0]", keyword: "minimum", expected: 3, rule: "R2" },
      { path: "$.b[1]", keyword: "type", expected: "integer", rule: "R2" },
      { path: '$["c d"]', keyword: "additionalProperties", expected: false, rule: "R1" },
      { path: "$", keyword: "required", expected: "a", rule: "R1" },
    ]);
  });

  it("refuses a schema it does not understand", () => {
    expect(() => compileSchema({ type: "thing" })).toThrow('unknown type "thing"');
    expect(() => compileSchema({ $ref: "#/$defs/none" })).toThrow("names no definition");
    const list: JsonSchema = { type: "array", items: { $ref: "#/$defs/list" } };
    expect(() => compileSchema({ ...list, $defs: { list } })).toThrow("refers to itself");
  });
});
