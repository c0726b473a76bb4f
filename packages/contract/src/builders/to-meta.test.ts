import fc from "fast-check";
import { expect, test } from "vitest";
import { metaValidator } from "../envelope/envelope-schemas.ts";
import { isPlainMeta } from "./to-meta.ts";

const plain = {
  version: "response-v2",
  request_id: "req_1",
  telemetry: { duration_ms: 1.5 },
  warnings: ["a"],
  pagination: { cursor: null, has_more: false, total_count: 3, page_size: 25 },
};

test("isPlainMeta accepts the common keys", () => {
  expect(isPlainMeta(plain)).toBe(true);
  expect(isPlainMeta({ version: "response-v2" })).toBe(true);
});

test.each([
  ["another key", { ...plain, content_fidelity: "full" }],
  ["half a page", { ...plain, pagination: { cursor: null } }],
  ["a key that every object has", { ...plain, constructor: "x" }],
  ["a counter", { ...plain, telemetry: { duration_ms: 1, rows: 2 } }],
  ["another version", { ...plain, version: "response-v3" }],
])("isPlainMeta leaves %s to the schema", (_, meta) => {
  expect(isPlainMeta(meta)).toBe(false);
});

test("isPlainMeta accepts only what the schema accepts", () => {
  const value = fc.oneof(
    fc.constantFrom(
      "response-v2",
      "req_1",
      "",
      "a b",
      -1,
      0,
      1.5,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      null,
    ),
    fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 3 }),
    fc.record(
      {
        cursor: fc.constantFrom(null, "x", 1),
        has_more: fc.constantFrom(true, false, null),
        total_count: fc.constantFrom(0, 3, -1, 1.5, null),
        page_size: fc.constantFrom(0, 25, -1, 2 ** 60, "3"),
      },
      { requiredKeys: ["page_size"] },
    ),
    fc.record({ duration_ms: fc.oneof(fc.double(), fc.string(), fc.constant(null)) }, { requiredKeys: [] }),
  );
  const key = fc.constantFrom("version", "request_id", "telemetry", "pagination", "warnings");
  fc.assert(
    fc.property(fc.dictionary(key, value), (given) => {
      const meta = { version: "response-v2", ...given };
      if (isPlainMeta(meta)) expect(metaValidator.problems(meta)).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});
