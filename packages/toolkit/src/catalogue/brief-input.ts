import type { JsonSchema } from "../schema/schema.ts";
import { budgetParameter } from "./input-shape.ts";
import type { PreparedAction } from "./prepared-tool.ts";

/** The keywords of bounds; where actions differ in them, the flat schema leaves them out. */
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

/** True for a text with no other words than the name of what it describes: "Id of the task" for `task_id`. */
export function isImpliedByName(text: string, name: string): boolean {
  const known = new Set(["a", "an", "of", "s", "the", ...toWords(name)]);
  return toWords(text).every((word) => known.has(word));
}

function toWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** True for a parameter that dispatch itself adds to the action: it means the same in every tool. */
export function isCommonParameter(name: string, { definition }: PreparedAction): boolean {
  if (name === budgetParameter) return true;
  return definition.page !== undefined && (name === "limit" || name === "cursor");
}

/**
 * A schema without its bounds and without keywords that admit everything: the call is still checked
 * against them, and its error names the bound. `oneOf` and `not` keep theirs, where a looser schema admits less.
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

/** True for a keyword that changes nothing about what is admitted. */
function isRedundant(key: string, value: unknown): boolean {
  if (key === "additionalProperties" && value === true) return true;
  // Every property name is a string.
  if (key === "propertyNames") return JSON.stringify(loosen(value)) === '{"type":"string"}';
  if (key !== "properties" && key !== "additionalProperties") return false;
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function loosen(value: unknown): unknown {
  return typeof value === "object" && value !== null ? withoutBounds(value as JsonSchema) : value;
}
