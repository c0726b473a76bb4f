import { expect, it } from "vitest";
import { compileSchema } from "./compile-schema.ts";
import { fromDraft4 } from "./from-draft-4.ts";

const $schema = "http://json-schema.org/draft-04/schema#";

it("converts exclusive bounds and id in schemas, and leaves values alone", () => {
  const values = { default: { id: "x", exclusiveMinimum: true } };
  expect(
    fromDraft4({
      id: "http://example.com/a",
      properties: {
        id: { type: "string" },
        low: { type: "integer", minimum: 0, exclusiveMinimum: true },
        high: { anyOf: [{ maximum: 9, exclusiveMaximum: false }, { exclusiveMaximum: true }] },
        ...values,
      },
      ...values,
    }),
  ).toEqual({
    $id: "http://example.com/a",
    properties: {
      id: { type: "string" },
      low: { type: "integer", exclusiveMinimum: 0 },
      high: { anyOf: [{ maximum: 9 }, {}] },
      ...values,
    },
    ...values,
  });
});

it("applies to schemas of draft 4 only", () => {
  const schema = { type: "integer", minimum: 0, exclusiveMinimum: true };
  const compiled = compileSchema({ $schema, ...schema });
  expect(compiled.ok && [0, 1].map((value) => compiled.check(value).length)).toEqual([1, 0]);
  expect(compileSchema(schema).ok).toBe(false);
});
