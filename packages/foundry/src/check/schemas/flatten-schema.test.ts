import { describe, expect, it } from "vitest";
import { flattenSchema, mergeSchemas } from "./flatten-schema.ts";

describe("flattenSchema", () => {
  it("merges references and allOf into one level", () => {
    const root = {
      $defs: {
        id: { $ref: "#/$defs/text", minLength: 2 },
        text: { type: "string", minLength: 1, maxLength: 9 },
      },
    };
    expect(flattenSchema({ allOf: [{ $ref: "#/$defs/id" }, true, { maxLength: 5 }] }, root)).toEqual({
      type: "string",
      minLength: 2,
      maxLength: 5,
    });
  });

  it("returns undefined for cycles, dangling references and false", () => {
    expect(flattenSchema({ $ref: "#" }, { $ref: "#" })).toBeUndefined();
    const twice = { allOf: [{ $ref: "#" }, { $ref: "#" }] };
    expect(flattenSchema(twice, twice)).toBeUndefined();
    expect(flattenSchema({ $ref: "#/none" }, {})).toBeUndefined();
    expect(flattenSchema(false, {})).toBeUndefined();
    expect(flattenSchema(null, {})).toBeUndefined();
  });
});

describe("mergeSchemas", () => {
  it("requires what both schemas require", () => {
    expect(
      mergeSchemas(
        { type: ["number", "string"], required: ["a"], properties: { a: { minLength: 1 }, b: true } },
        { type: "integer", required: ["b"], properties: { a: { maxLength: 2 }, c: true } },
      ),
    ).toEqual({
      type: ["integer"],
      required: ["a", "b"],
      properties: { a: { allOf: [{ minLength: 1 }, { maxLength: 2 }] }, b: true, c: true },
    });
    expect(mergeSchemas({ enum: [1, { a: 1 }] }, { enum: [{ a: 1 }, 2] })).toEqual({ enum: [{ a: 1 }] });
    expect(mergeSchemas({ type: ["string", "null"] }, { type: ["null", "string"] })).toEqual({
      type: ["string", "null"],
    });
  });
});
