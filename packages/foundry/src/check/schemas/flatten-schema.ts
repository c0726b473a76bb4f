import { isRecord } from "@foundry-mcp/contract";
import { getOwn, resolveRef, toList, type UntrustedSchema } from "./json-schema.ts";

const maxSteps = 50;
const lowerBounds = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const upperBounds = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];

/** Merges the references and `allOf` of a schema into one level. Returns undefined if that is impossible. */
export function flattenSchema(schema: unknown, root: UntrustedSchema): UntrustedSchema | undefined {
  let flat: UntrustedSchema = {};
  const waiting: unknown[] = [schema];
  for (let step = 0; waiting.length > 0; step++) {
    const next = waiting.shift();
    if (next === true) continue;
    // The step limit ends cycles of references.
    if (!isRecord(next) || step === maxSteps) return undefined;
    const { $ref, allOf, ...rest } = next;
    flat = mergeSchemas(flat, rest);
    if ($ref !== undefined) waiting.push(resolveRef($ref, root));
    waiting.push(...toList(allOf).slice(0, maxSteps));
  }
  return flat;
}

/** Returns a schema with the requirements of both schemas, for the common keywords. */
export function mergeSchemas(a: UntrustedSchema, b: UntrustedSchema): UntrustedSchema {
  const merged: Record<string, unknown> = { ...a, ...b };
  const [some, more] = [getOwn(a, "properties"), getOwn(b, "properties")];
  if (isRecord(some) && isRecord(more)) merged["properties"] = mergeProperties(some, more);
  if (Array.isArray(a["required"]) && Array.isArray(b["required"])) {
    merged["required"] = [...a["required"], ...b["required"]];
  }
  for (const key of lowerBounds) mergeBound(merged, key, a[key], b[key], Math.max);
  for (const key of upperBounds) mergeBound(merged, key, a[key], b[key], Math.min);
  if (a["type"] !== undefined && b["type"] !== undefined) {
    merged["type"] = commonTypes([a["type"]].flat(), [b["type"]].flat());
  }
  if (Array.isArray(a["enum"]) && Array.isArray(b["enum"])) {
    const texts = new Set(b["enum"].map((value) => JSON.stringify(value)));
    merged["enum"] = a["enum"].filter((value) => texts.has(JSON.stringify(value)));
  }
  return merged;
}

function mergeProperties(some: UntrustedSchema, more: UntrustedSchema): UntrustedSchema {
  const both = Object.keys(more).filter((key) => Object.hasOwn(some, key) && isRecord(more[key]));
  const shared = both.map((key) => [key, { allOf: [some[key], more[key]] }]);
  return { ...some, ...more, ...Object.fromEntries(shared) };
}

function mergeBound(
  merged: Record<string, unknown>,
  key: string,
  a: unknown,
  b: unknown,
  choose: (a: number, b: number) => number,
): void {
  if (typeof a === "number" && typeof b === "number") merged[key] = choose(a, b);
}

function commonTypes(some: readonly unknown[], more: readonly unknown[]): readonly unknown[] {
  const common = some.filter((type) => more.includes(type));
  const lacksNumber = !common.includes("integer") && !common.includes("number");
  const all = [...some, ...more];
  return lacksNumber && all.includes("integer") && all.includes("number") ? [...common, "integer"] : common;
}
