import fc from "fast-check";
import { expect, it } from "vitest";
import { compileSchema } from "../schemas/compile-schema.ts";
import type { UntrustedSchema } from "../schemas/json-schema.ts";
import { wrongValues } from "./wrong-values.ts";

const object = { value: { wrong: true }, kind: "an object" };
const text = { value: "not what was asked for", kind: "a text" };
const list = { value: [["wrong"], ["wrong"]], kind: "a list" };

it.each<[UntrustedSchema, unknown]>([
  [{ type: "string" }, object],
  [{ type: "integer" }, object],
  [{ type: ["number", "null"] }, object],
  [{ type: "boolean" }, object],
  [{ type: "array" }, object],
  [{ enum: ["a", 1] }, object],
  [{ const: null }, object],
  [{ type: "object" }, text],
  [{ type: "object", required: ["a"] }, text],
  [{ const: { a: 1 } }, text],
  [{ type: ["object", "number"] }, text],
  [{ anyOf: [{ type: "string" }, { type: "object" }] }, list],
  [{ anyOf: [{ type: "string" }, { type: "null" }] }, object],
  [{ oneOf: [{ $ref: "#/$defs/a" }, { type: "array" }], $defs: { a: { type: "object" } } }, text],
  [{ allOf: [{ type: ["string", "object"] }, { type: "object" }] }, text],
  [{ type: ["string", "object", "array"] }, undefined],
  [{}, undefined],
  [{ minLength: 3 }, undefined],
  [{ not: { type: "object" } }, undefined],
  [{ anyOf: [{ type: "string" }, {}] }, undefined],
  [{ $ref: "#" }, undefined],
  [{ type: "text" }, undefined],
])("breaks %j", (schema, expected) => {
  expect(wrongValues(schema)[0]).toEqual(expected);
});

it.each<[UntrustedSchema, readonly unknown[]]>([
  [{ type: "string" }, [{ wrong: true }, 7]],
  [{ type: "integer" }, [{ wrong: true }, "not a number"]],
  [{ type: "boolean" }, [{ wrong: true }, "not what was asked for"]],
  [{ type: "array", items: { type: "string" } }, [{ wrong: true }, [{ wrong: true }]]],
  [{ type: "array" }, [{ wrong: true }]],
  [{ type: "object", required: ["a"] }, ["not what was asked for", { wrong: true }]],
  [{ type: "object" }, ["not what was asked for"]],
  [{ type: "string", enum: ["a", "b"] }, [{ wrong: true }, 7, "foundry-check-no-such-value"]],
  [{ enum: ["a", 1] }, [{ wrong: true }, "foundry-check-no-such-value"]],
  [{ type: "integer", minimum: 1, maximum: 5 }, [{ wrong: true }, "not a number", 0]],
  [{ type: "number", maximum: 5 }, [{ wrong: true }, "not a number", 6]],
  [{ type: ["string", "number"] }, [{ wrong: true }]],
  [{ anyOf: [{ type: "string" }, { type: "integer", minimum: 5 }] }, [{ wrong: true }]],
])("breaks %j in every way", (schema, values) => {
  expect(wrongValues(schema).map(({ value }) => value)).toEqual(values);
});

it("returns only values that the schema refuses, for arbitrary schemas", () => {
  const word = fc.constantFrom("type", "anyOf", "allOf", "enum", "const", "$ref", "#", "object", "string");
  const schemas = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: "small" },
      fc.oneof(fc.jsonValue({ maxDepth: 1 }), word),
      fc.array(tie("any"), { maxLength: 3 }),
      fc.dictionary(word, tie("any"), { maxKeys: 3 }),
    ),
  })).any;
  fc.assert(
    fc.property(schemas, (schema) => {
      const compiled = compileSchema(schema);
      for (const { value } of wrongValues(schema as UntrustedSchema))
        expect(compiled.ok && compiled.check(value)).not.toEqual([]);
    }),
  );
});
