import type { JsonSchema } from "../schema/schema.ts";
import { budgetParameter } from "./input-shape.ts";
import type { PreparedAction } from "./prepared-tool.ts";

/**
 * The JSON Schema keywords that set bounds. If the bounds of two actions differ, the flat schema leaves out
 * these bounds.
 */
export const bounds: readonly string[] = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "pattern",
];

/** True for a description that only repeats the words of the parameter name: "Id of the task" for `task_id`. */
export function isImpliedByName(text: string, name: string): boolean {
  const known = new Set(["a", "an", "of", "s", "the", ...toWords(name)]);
  return toWords(text).every((word) => known.has(word));
}

function toWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** True for a parameter that dispatch itself adds to the action and that means the same in every tool. */
export function isCommonParameter(name: string, { definition }: PreparedAction): boolean {
  if (name === budgetParameter) return true;
  return definition.page !== undefined && (name === "limit" || name === "cursor");
}

/**
 * Returns a schema without its bounds and without keywords that admit everything; calls are still checked against
 * the bounds, and errors state the bounds. Bounds inside `oneOf` and `not` are kept, because without them these
 * keywords would admit fewer values.
 */
export function withoutBounds(json: JsonSchema): JsonSchema {
  const kept = Object.entries(json).filter(([key]) => !bounds.includes(key) && !isRedundant(key, json[key]));
  return Object.fromEntries(
    kept.map(([key, value]) => {
      if (["items", "additionalProperties", "propertyNames"].includes(key)) return [key, loosen(value)];
      if (["anyOf", "allOf", "prefixItems"].includes(key) && Array.isArray(value)) {
        return [key, value.map(loosen)];
      }
      if (key !== "properties" || typeof value !== "object" || value === null) return [key, value];
      return [key, Object.fromEntries(Object.entries(value).map(([name, form]) => [name, loosen(form)]))];
    }),
  );
}

/** True for a keyword that does not change which values are admitted. */
function isRedundant(key: string, value: unknown): boolean {
  if (key === "additionalProperties" && value === true) return true;
  // The keyword `propertyNames` is redundant if it admits every string, because every property name is a
  // string.
  if (key === "propertyNames") return JSON.stringify(loosen(value)) === '{"type":"string"}';
  if (key !== "properties" && key !== "additionalProperties") return false;
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function loosen(value: unknown): unknown {
  return typeof value === "object" && value !== null ? withoutBounds(value as JsonSchema) : value;
}
