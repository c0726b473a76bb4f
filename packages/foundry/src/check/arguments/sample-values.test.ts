import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { UntrustedSchema } from "../schemas/json-schema.ts";
import { type SampleSources, sampleValues } from "./sample-values.ts";

const first = (schema: UntrustedSchema, sources?: SampleSources) => sampleValues(schema, sources)[0];

describe("values declared in a schema", () => {
  it("come first, null last", () => {
    expect(sampleValues({ const: 7 })).toEqual([7]);
    expect(sampleValues({ enum: [null, "a", "b"] })).toEqual(["a", "b", null]);
    expect(
      sampleValues({ type: "string", default: "d", examples: ["e", 5], description: "Like `q`" }),
    ).toEqual(["d", "e", "q", "test", "a", "1"]);
    expect(first({ type: ["string", "null"], default: null })).toBe("test");
  });

  it("are left out if the schema refuses them", () => {
    expect(sampleValues({ type: "integer", default: "ten", minimum: 3, maximum: 4 })).toEqual([3, 4]);
  });
});

describe("values from other sources", () => {
  it("come in the order given, schema, pool, words, generated", () => {
    const sources = { given: ["g"], pool: ["p"], words: ["w"] };
    expect(sampleValues({ type: "string", default: "d" }, sources)).toEqual([
      "g",
      "d",
      "p",
      "w",
      "test",
      "a",
      "1",
    ]);
  });

  it("share the available places", () => {
    const pool = Array.from({ length: 40 }, (_, index) => `p${index}`);
    expect(sampleValues({ type: "string" }, { pool, words: ["w"] })).toEqual([
      "p0",
      "p1",
      "p2",
      "p3",
      "w",
      "test",
      "a",
      "1",
    ]);
  });

  it("are coerced to the type of the parameter", () => {
    expect(first({ type: "integer" }, { words: ["x", "7"] })).toBe(7);
    expect(first({ type: "string" }, { pool: [7] })).toBe("7");
    expect(first({ type: "array", items: { type: "string" } }, { pool: ["a"] })).toEqual(["a"]);
    expect(first({ type: "array", items: { type: "integer" } }, { words: ["7"] })).toEqual([7]);
  });
});

describe("generated values", () => {
  it.each<[UntrustedSchema, unknown]>([
    [{}, "test"],
    [{ type: "string", minLength: 6 }, "testaa"],
    [{ type: "string", maxLength: 2 }, "te"],
    [{ type: "string", format: "date" }, "2026-01-01"],
    [{ type: "string", format: "date-time" }, "2026-01-01T00:00:00Z"],
    [{ type: "string", format: "email", minLength: 20 }, "asomeone@example.com"],
    [{ type: "string", format: "uuid" }, "00000000-0000-4000-8000-000000000000"],
    [{ type: "string", format: "made-up" }, "test"],
    [{ type: "string", pattern: "^b-\\d+$" }, "b-1"],
    [{ type: "string", pattern: "^[a-z]+$", minLength: 5 }, "aaaaaa"],
    [{ type: "string", pattern: "^(?!test)(\\w)\\1$" }, "00"],
    [{ type: "integer" }, 1],
    [{ type: "integer", minimum: 5 }, 5],
    [{ type: "integer", exclusiveMinimum: 5 }, 6],
    [{ type: "integer", maximum: -2.5 }, -3],
    [{ type: "integer", multipleOf: 7, minimum: 20 }, 21],
    [{ type: "number", exclusiveMinimum: 0, exclusiveMaximum: 0.5 }, 0.25],
    [{ type: "boolean" }, false],
    [{ type: "array" }, []],
    [{ type: "array", items: { type: "integer" } }, [1]],
    [{ type: "array", items: { enum: ["x", "y"] }, minItems: 2, uniqueItems: true }, ["x", "y"]],
    [
      { type: "array", items: { type: "integer" }, minItems: 12, uniqueItems: true },
      [1, 0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    ],
    [{ type: "array", prefixItems: [{ const: 1 }, { type: "string" }] }, [1, "test"]],
    [{ type: "array", items: { pattern: "^(?!t)" }, maxItems: 0 }, []],
    [{ type: "object" }, {}],
    [{ type: "object", properties: { a: { type: "string" }, b: {} }, required: ["a"] }, { a: "test" }],
    [
      { type: "object", minProperties: 2 },
      { key_1: "test", key_2: "test" },
    ],
    [{ properties: { a: { const: 1 } }, anyOf: [{ required: ["a"] }] }, { a: 1 }],
    [{ type: ["null", "integer"] }, 1],
    [{ type: "null" }, null],
    [{ anyOf: [{ type: "null" }, { type: "string", minLength: 5 }] }, "testa"],
    [{ type: "integer", oneOf: [{ minimum: 5 }, { maximum: 1 }] }, 5],
    [{ allOf: [{ type: "string" }, { minLength: 5 }] }, "testa"],
    [{ $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { enum: ["x"] } } }, "x"],
  ])("%j", (schema, expected) => {
    expect(first(schema)).toEqual(expected);
  });

  it("fills required members of nested objects", () => {
    const $defs = {
      node: {
        type: "object",
        properties: { name: { type: "string", pattern: "^n\\d$" }, next: { $ref: "#/$defs/node" } },
        required: ["name"],
      },
    };
    expect(first({ $ref: "#/$defs/node", $defs })).toEqual({ name: "n1" });
    expect(sampleValues({ type: "object", required: ["a"], properties: { a: { $ref: "#" } } })).toEqual([]);
  });

  it("returns nothing if nothing fits", () => {
    expect(sampleValues({ not: {} })).toEqual([]);
    expect(sampleValues({ type: "string", pattern: "^(?=b)a" })).toEqual([]);
    expect(sampleValues({ type: "string", minLength: 1e9 })).toEqual([]);
    expect(sampleValues({ $ref: "#/none" })).toEqual([]);
    expect(sampleValues({ type: "text" })).toEqual([]);
    expect(sampleValues({ $ref: "#" })).toEqual([]);
  });
});

describe("any schema", () => {
  const bound = fc.integer({ min: 0, max: 6 });
  const optional = (keys: Record<string, fc.Arbitrary<unknown>>) => fc.record(keys, { requiredKeys: [] });
  const { schema } = fc.letrec<{ schema: UntrustedSchema }>((tie) => ({
    schema: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom({ type: "boolean" }, { type: "null" }, { enum: ["a", 1, null] }, {}),
      optional({ minLength: bound, format: fc.constantFrom("date", "uri") }).map((rest) => ({
        type: "string",
        ...rest,
      })),
      fc
        .constantFrom("^[a-f]{3}$", "^x-\\d+(-y)?$", "^(on|off)$", "[A-Z]")
        .map((pattern) => ({ type: "string", pattern })),
      optional({ minimum: bound, exclusiveMinimum: bound, multipleOf: fc.constantFrom(1, 2, 5) }).map(
        (rest) => ({
          type: "integer",
          ...rest,
        }),
      ),
      fc.record({ items: tie("schema"), minItems: fc.nat(2) }).map((rest) => ({ type: "array", ...rest })),
      fc
        .tuple(fc.dictionary(fc.constantFrom("a", "b", "c"), tie("schema"), { maxKeys: 3 }), fc.boolean())
        .map(([properties, isClosed]) => ({
          type: "object",
          properties,
          required: Object.keys(properties).slice(1),
          additionalProperties: !isClosed,
        })),
      fc.array(tie("schema"), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
      tie("schema").map((one) => ({ allOf: [one] })),
    ),
  }));

  const whole = fc.oneof(
    schema,
    schema.map((one) => ({ $ref: "#/$defs/one", $defs: { one } })),
    schema.map((one) => ({ type: "array", items: { $ref: "#/$defs/one" }, minItems: 1, $defs: { one } })),
  );

  it("gets only values that another validator admits", () => {
    fc.assert(
      fc.property(whole, (one) => {
        const values = sampleValues(one, { pool: ["x-1", 4, "abc"], words: ["on"] });
        expect(values.length).toBeGreaterThan(0);
        expect(values.length).toBeLessThanOrEqual(8);
        expect(new Set(values.map((value) => JSON.stringify(value))).size).toBe(values.length);
        const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(one);
        for (const value of values) expect(validate(value)).toBe(true);
      }),
    );
  });

  it("is no reason to throw", () => {
    const word = fc.constantFrom(
      "type",
      "properties",
      "items",
      "$ref",
      "anyOf",
      "allOf",
      "enum",
      "required",
      "#",
      "object",
    );
    const odd = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: "small" },
        fc.oneof(fc.jsonValue({ maxDepth: 1 }), word),
        fc.array(tie("any"), { maxLength: 3 }),
        fc.dictionary(word, tie("any"), { maxKeys: 4 }),
      ),
    })).any;
    fc.assert(
      fc.property(odd, fc.array(fc.jsonValue()), (one, pool) => {
        expect(Array.isArray(sampleValues(one as UntrustedSchema, { pool }))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
