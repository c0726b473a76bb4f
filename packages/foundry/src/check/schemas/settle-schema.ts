import { isRecord } from "@foundry-mcp/contract";
import { getOwn, resolveRef, toList, type UntrustedSchema } from "./json-schema.ts";

const mostSteps = 50;
const lowerBounds = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const upperBounds = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];

/** A schema with its references and `allOf` merged into one level; undefined where that leads nowhere. */
export function settleSchema(schema: unknown, root: UntrustedSchema): UntrustedSchema | undefined {
  let settled: UntrustedSchema = {};
  const waiting: unknown[] = [schema];
  for (let step = 0; waiting.length > 0; step++) {
    const next = waiting.shift();
    if (next === true) continue;
    // The limit is for references that go in a circle.
    if (!isRecord(next) || step === mostSteps) return undefined;
    const { $ref, allOf, ...rest } = next;
    settled = mergeSchemas(settled, rest);
    if ($ref !== undefined) waiting.push(resolveRef($ref, root));
    waiting.push(...toList(allOf).slice(0, mostSteps));
  }
  return settled;
}

/** One schema that asks for what both ask for, as far as that is easily said. */
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
  const isWhole = !common.includes("integer") && !common.includes("number");
  const meet = [...some, ...more];
  return isWhole && meet.includes("integer") && meet.includes("number") ? [...common, "integer"] : common;
}
