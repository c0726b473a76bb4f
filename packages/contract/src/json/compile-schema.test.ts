import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { envelopeV1Schema } from "../dialects/dialect-schemas.ts";
import { envelopeSchema, metaSchema } from "../envelope/envelope-schemas.ts";
import { anyEnvelope, anyEnvelopeV1, jsonValue } from "../testing/arbitraries.ts";
import { schemaFiles } from "../testing/schema-files.ts";
import { compileSchema } from "./compile-schema.ts";
import { listProblems, toJsonSchema } from "./validator.ts";

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });

/** Generates a valid value in which one member is replaced by an arbitrary value. */
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

const compiled = { envelope: envelopeSchema, meta: metaSchema, "envelope-v1": envelopeV1Schema } as const;

describe("compileSchema", () => {
  it.each(Object.keys(compiled) as (keyof typeof compiled)[])(
    "agrees with ajv and with zod on %s",
    (name) => {
      const schema = toJsonSchema(compiled[name]);
      const test = compileSchema(schema);
      const validate = ajv.compile(schema);
      fc.assert(
        fc.property(
          fc.oneof(jsonValue, nearlyValid, anyEnvelope, anyEnvelopeV1, nearlyValid.map(metaOf)),
          (value) => {
            const isValid = validate(value);
            expect(test(value)).toBe(isValid);
            expect(listProblems(compiled[name], value).length === 0).toBe(isValid);
          },
        ),
        { numRuns: 2_000 },
      );
    },
  );

  it("refuses a schema with keywords that it does not enforce", () => {
    expect(() => compileSchema({ type: "thing" })).toThrow('"thing" is not known');
    expect(() => compileSchema({ type: "string", maxLength: 5 })).toThrow('"maxLength" is not known');
    expect(() => compileSchema({ $ref: "#/$defs/none" })).toThrow('"#/$defs/none" is not known');
  });
});

describe("the JSON Schemas", () => {
  it.each(Object.entries(schemaFiles))("%s compiles in ajv's strict mode", (_, schema) => {
    expect(() =>
      new Ajv2020({
        strict: true,
        allowUnionTypes: true,
        logger: { ...console, warn: fail, error: fail, log: fail },
      }).compile(toJsonSchema(schema)),
    ).not.toThrow();
  });
});

function metaOf(value: unknown): unknown {
  return (value as { meta?: unknown }).meta;
}

function fail(message: string): never {
  throw new Error(message);
}
