import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { action } from "../define/action.ts";
import { defineTool } from "../define/tool.ts";
import { createRegistry } from "../registry/registry.ts";
import type { Schema } from "../schema/schema.ts";

const echo = { run: (input: unknown) => ({ input }) };

function registryOf(input: Schema) {
  const tool = defineTool({ name: "t", version: "1.0.0", description: "Test", input, ...echo });
  return createRegistry({ name: "test", version: "1.0.0", tools: [tool] });
}

/** An object schema with one member of every kind that can be corrected. */
const place = z.object({
  count: z.int().optional(),
  share: z.number().nullable().optional(),
  is_done: z.boolean().optional(),
  task_ids: z.array(z.string()).optional(),
  hours: z.array(z.number()).optional(),
  at_point: z.object({ x_value: z.number(), label: z.string().optional() }).optional(),
  points: z.array(z.object({ x_value: z.number() })).optional(),
  spec_id: z
    .string()
    .regex(/^[a-z-]+$/)
    .optional(),
  kind: z.enum(["first", "second"]).optional(),
  kinds: z.array(z.enum(["first", "second"])).optional(),
  cased: z.enum(["up", "Up"]).optional(),
  text: z.string().optional(),
  any: z.unknown().optional(),
  either: z.union([z.number(), z.string()]).optional(),
  both: z.union([z.number(), z.boolean()]).optional(),
  mixed: z.union([z.number(), z.enum(["low", "high"])]).optional(),
  extra: z.record(z.string(), z.number()).optional(),
  open: z.looseObject({ file_path: z.string().optional() }).optional(),
});
const registry = registryOf(place);

describe("arguments that are not of the type of their schema", () => {
  const accepted: readonly (readonly [name: string, sent: object, read: object])[] = [
    ["an integer as text", { count: "5" }, { count: 5 }],
    ["a number with white space", { count: " 5\n" }, { count: 5 }],
    ["a negative number", { share: "-0.5" }, { share: -0.5 }],
    ["a number with an exponent", { share: "1e3" }, { share: 1000 }],
    ["a whole number written with a fraction", { count: "5.0" }, { count: 5 }],
    ["true", { is_done: "true" }, { is_done: true }],
    ["False", { is_done: "False" }, { is_done: false }],
    ["a list as JSON text", { task_ids: '["a","b"]' }, { task_ids: ["a", "b"] }],
    ["an object as JSON text", { at_point: ' {"x_value": 1} ' }, { at_point: { x_value: 1 } }],
    ["numbers in a list", { hours: ["1", 2, "3"] }, { hours: [1, 2, 3] }],
    ["numbers in a list of JSON text", { hours: '["1", 2]' }, { hours: [1, 2] }],
    ["numbers under any name", { extra: { a: "1" } }, { extra: { a: 1 } }],
    ["camelCase", { isDone: true }, { is_done: true }],
    ["camelCase within objects", { atPoint: { xValue: "1" } }, { at_point: { x_value: 1 } }],
    ["camelCase in objects of a list", { points: [{ xValue: 1 }] }, { points: [{ x_value: 1 }] }],
    ["camelCase within JSON text", { points: '[{"xValue": "1"}]' }, { points: [{ x_value: 1 }] }],
    ["white space around a text with a pattern", { spec_id: " my-spec " }, { spec_id: "my-spec" }],
    ["white space around one of several values", { kind: "first " }, { kind: "first" }],
    ["another case of a value", { kind: "First" }, { kind: "first" }],
    ["another case of a value with white space", { kind: " FIRST\n" }, { kind: "first" }],
    ["another case of values in a list", { kinds: ["FIRST", "second"] }, { kinds: ["first", "second"] }],
    ["two spellings with equal values", { isDone: "true", is_done: true }, { is_done: true }],
    ["two spellings, one of them null", { isDone: true, is_done: null }, { is_done: true }],
  ];
  it.each(accepted)("are read where the meaning is certain: %s", async (_name, sent, read) => {
    const { success, data, meta } = await registry.call("t", sent);
    expect({ success, data }).toEqual({ success: true, data: { input: read } });
    expect(meta.warning_details).toMatchObject([{ code: "INPUT_NORMALIZED", severity: "info" }]);
  });

  const refused: readonly (readonly [name: string, sent: object, field: string, constraint: string])[] = [
    ["a hexadecimal number", { count: "0x10" }, "count", "type"],
    ["a leading zero", { count: "05" }, "count", "type"],
    ["a plus sign", { count: "+5" }, "count", "type"],
    ["a fraction where an integer is wanted", { count: "5.5" }, "count", "type"],
    ["an empty text", { count: "" }, "count", "type"],
    ["white space alone", { count: " " }, "count", "type"],
    ["NaN", { share: "NaN" }, "share", "type"],
    ["Infinity", { share: "Infinity" }, "share", "type"],
    ["a number beyond all numbers", { share: "1e999" }, "share", "type"],
    ["an integer that is not exact", { count: "9007199254740993" }, "count", "type"],
    ["null as text", { share: "null" }, "share", "type"],
    ["1 for true", { is_done: "1" }, "is_done", "type"],
    ["yes for true", { is_done: "yes" }, "is_done", "type"],
    ["a number for a boolean", { is_done: 1 }, "is_done", "type"],
    ["a number for a text", { text: 5 }, "text", "type"],
    ["a single item for a list", { task_ids: "a" }, "task_ids", "type"],
    ["items with commas for a list", { task_ids: "a,b" }, "task_ids", "type"],
    ["an object for a list", { task_ids: '{"a":1}' }, "task_ids", "type"],
    ["broken JSON", { task_ids: '["a"' }, "task_ids", "type"],
    ["JSON text within JSON text", { points: '["{\\"x_value\\":1}"]' }, "points[0]", "type"],
    ["a place for two types besides text", { both: "true" }, "both", "type"],
    ["another case where a number is admitted too", { mixed: "Low" }, "mixed", "type"],
    ["white space where a number is admitted too", { mixed: " 5 " }, "mixed", "type"],
    ["another case of two values", { cased: "UP" }, "cased", "enum"],
    ["another case of a text with a pattern", { spec_id: "My-Spec" }, "spec_id", "pattern"],
    ["a part of a value", { kind: "Fir" }, "kind", "enum"],
    ["white space around a wrong text", { spec_id: " MY " }, "spec_id", "pattern"],
    ["another case of a name", { Is_Done: true }, "Is_Done", "unknown"],
    ["two spellings with different values", { isDone: false, is_done: true }, "is_done", "duplicate"],
  ];
  it.each(refused)("are refused where it is not: %s", async (_name, sent, field, constraint) => {
    const { success, data } = await registry.call("t", sent);
    expect({ success, details: data["details"] }).toMatchObject({
      success: false,
      details: { field, constraint },
    });
  });

  it.each([
    { text: "5" },
    { text: " white space " },
    { any: "[1]" },
    { any: { camelCase: "5" } },
    { either: "5" },
    { open: { filePath: "a" } },
  ])("are left alone where the schema admits them: %j", async (sent) => {
    const { data, meta } = await registry.call("t", sent);
    expect({ data, warnings: meta.warnings }).toEqual({ data: { input: sent }, warnings: undefined });
  });

  it("are told in one warning, the first ten by name", async () => {
    const points = Array.from({ length: 11 }, () => ({ xValue: 1 }));
    const { meta } = await registry.call("t", { count: "5", points });
    const named = points.slice(0, 9).map((_, index) => ({ field: `points[${index}].xValue`, as: "x_value" }));
    const readings = [{ field: "count", as: "an integer" }, ...named];
    const list = readings.map(({ field, as }) => `${field} as ${as}`).join(", ");
    const message = `Arguments were corrected: ${list}, and 2 more`;
    expect(meta).toMatchObject({
      warnings: [message],
      warning_details: [
        { code: "INPUT_NORMALIZED", severity: "info", message, context: { readings, count: 12 } },
      ],
    });
  });

  it("are not told by a name that a sentence must not repeat", async () => {
    const { meta } = await registry.call("t", { extra: { "eval(\nSECRET)": "1" } });
    expect(meta.warnings).toEqual(["Arguments were corrected: a parameter as a number"]);
    expect(JSON.stringify(meta)).not.toContain("SECRET");
  });

  it("do not reach a prototype", async () => {
    const args = JSON.parse('{"extra":{"__proto__":"1"},"count":"2"}');
    const { data } = await registry.call("t", args);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(data["input"]).toMatchObject({ count: 2 });
  });

  it("are refused where they nest too deeply once they are read", async () => {
    const own = registryOf(z.object({ nested: z.object({ any: z.unknown() }) }));
    for (const [levels, constraint] of [
      [999, "max_depth"],
      [1_001, "type"],
    ] as const) {
      const nested = `{"any":${"[".repeat(levels)}${"]".repeat(levels)}}`;
      const { success, data } = await own.call("t", { nested });
      expect({ success, details: data["details"] }).toMatchObject({
        success: false,
        details: { field: "nested", constraint },
      });
    }
  });

  it("are read for page, budget, aliases and the name of the action too", async () => {
    const tool = defineTool({
      name: "note",
      version: "1.0.0",
      description: "Notes",
      actions: {
        "list-all": action({
          input: z.object({ only_open: z.boolean().optional() }),
          parameterAliases: { hide_done: "only_open" },
          page: { default: 10, max: 20 },
          run: ({ only_open }, { page }) => {
            return { rows: page.siblings([1, 2, 3], { id: String }), only_open };
          },
        }),
      },
    });
    const own = createRegistry({ name: "test", version: "1.0.0", tools: [tool] });
    const sent = { action: " listAll", limit: "2", maxTokens: "5000", hideDone: "true" };
    const { data, meta } = await own.call("note", sent);
    expect({ data, warnings: meta.warnings }).toEqual({
      data: { rows: [1, 2], only_open: true },
      warnings: [
        "Arguments were corrected: action as list-all, maxTokens as max_tokens, hideDone as only_open, " +
          "limit as an integer, max_tokens as an integer, only_open as a boolean",
      ],
    });
  });
});

/** A schema, a value of it, and the value in lenient spelling. */
interface Sample {
  readonly schema: z.ZodType;
  readonly strict: unknown;
  readonly lenient: unknown;
}

const toCamelCase = (name: string) =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const isStructure = (value: unknown) => typeof value === "object" && value !== null;

/** Returns the sample with its strict value as JSON text, or the sample unchanged. */
const spelt = (sample: Sample, asText: boolean): Sample =>
  asText && isStructure(sample.strict) ? { ...sample, lenient: JSON.stringify(sample.strict) } : sample;

const leaf: fc.Arbitrary<Sample> = fc.oneof(
  fc.tuple(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean()).map(([value, asText]) => {
    // JSON loses the sign of negative zero, and integers outside the safe range are not corrected.
    const strict = value === 0 ? 0 : value;
    const isUnsafe = Number.isInteger(strict) && !Number.isSafeInteger(strict);
    return { schema: z.number(), strict, lenient: asText && !isUnsafe ? ` ${strict} ` : strict };
  }),
  fc.tuple(fc.maxSafeInteger(), fc.boolean()).map(([value, asText]) => {
    const strict = value === 0 ? 0 : value;
    return { schema: z.int(), strict, lenient: asText ? String(strict) : strict };
  }),
  fc
    .tuple(
      fc.boolean(),
      fc.constantFrom(String, (value: unknown) => String(value).toUpperCase()),
    )
    .map(([strict, write]) => ({ schema: z.boolean(), strict, lenient: write(strict) })),
  fc.tuple(fc.constantFrom("a", "b-c"), fc.constantFrom("", " ", "\t")).map(([strict, blank]) => ({
    schema: z.string().regex(/^[a-z-]+$/),
    strict,
    lenient: `${blank}${strict}${blank}`,
  })),
  fc.string().map((strict) => ({ schema: z.string(), strict, lenient: strict })),
  fc.jsonValue().map((strict) => ({ schema: z.unknown(), strict, lenient: strict })),
  fc.oneof(fc.string(), fc.integer()).map((strict) => ({
    schema: z.union([z.string(), z.number()]),
    strict,
    lenient: strict,
  })),
);

const names = fc.constantFrom("count", "task_id", "is_done_now", "at");
const { sample } = fc.letrec<{ sample: Sample; list: Sample; object: Sample }>((tie) => ({
  sample: fc.oneof({ maxDepth: 3, depthIdentifier: "sample" }, leaf, tie("list"), tie("object")),
  list: fc.tuple(tie("sample"), fc.boolean()).map(([item, asText]) =>
    spelt(
      {
        schema: z.array(item.schema),
        strict: [item.strict, item.strict],
        lenient: [item.strict, item.lenient],
      },
      asText,
    ),
  ),
  object: fc.tuple(members(tie("sample")), fc.boolean()).map(([object, asText]) => spelt(object, asText)),
}));

function members(of: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  return fc.uniqueArray(fc.tuple(names, of, fc.boolean()), { selector: ([name]) => name, maxLength: 3 }).map(
    (entries): Sample => ({
      schema: z.object(Object.fromEntries(entries.map(([name, { schema }]) => [name, schema]))),
      strict: Object.fromEntries(entries.map(([name, { strict }]) => [name, strict])),
      lenient: Object.fromEntries(
        entries.map(([name, { lenient }, asCamel]) => [asCamel ? toCamelCase(name) : name, lenient]),
      ),
    }),
  );
}

describe("any schema and any value of it", () => {
  it("has the same arguments in lenient spelling, and strict ones are never changed", async () => {
    await fc.assert(
      fc.asyncProperty(members(sample), async ({ schema, strict, lenient }) => {
        const own = registryOf(schema as unknown as Schema);
        const wanted = await own.call("t", strict as object);
        // For a required member of type any, null is a value; for all other members, null means absent.
        fc.pre(wanted.success);
        expect(wanted.meta.warnings).toBeUndefined();
        const { data, error } = await own.call("t", lenient as object);
        expect({ data, error }).toEqual({ data: wanted.data, error: null });
      }),
      { numRuns: 500 },
    );
  });
});
