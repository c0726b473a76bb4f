import { isRecord } from "@foundry-mcp/contract";
import type { UntrustedSchema } from "./json-schema.ts";

/** Keywords whose values are not schemas. */
const valueKeywords = new Set(["enum", "const", "default", "examples", "example"]);

/** Converts a schema from draft 4 to draft 7. In draft 7, exclusive bounds are numbers, and `id` is `$id`. */
export function fromDraft4(schema: UntrustedSchema): UntrustedSchema {
  return rewrite(schema) as UntrustedSchema;
}

function rewrite(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewrite);
  if (!isRecord(value)) return value;
  const { id, ...rest } = value;
  const entries = Object.entries(rest).map(([key, each]) => [
    key,
    valueKeywords.has(key) ? each : rewrite(each),
  ]);
  const converted = Object.fromEntries(entries) as Record<string, unknown>;
  // Inside `properties`, `id` is an ordinary name.
  if (id !== undefined) converted[typeof id === "string" ? "$id" : "id"] = rewrite(id);
  convertBound(converted, "minimum", "exclusiveMinimum");
  convertBound(converted, "maximum", "exclusiveMaximum");
  return converted;
}

function convertBound(schema: Record<string, unknown>, bound: string, exclusive: string): void {
  const isExcluded = schema[exclusive];
  if (typeof isExcluded !== "boolean") return;
  delete schema[exclusive];
  if (!isExcluded || typeof schema[bound] !== "number") return;
  schema[exclusive] = schema[bound];
  delete schema[bound];
}
