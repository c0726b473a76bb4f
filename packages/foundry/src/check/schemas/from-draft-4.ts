import { isRecord } from "@foundry-mcp/contract";
import type { UntrustedSchema } from "./json-schema.ts";

/** What holds values, not schemas. */
const values = new Set(["enum", "const", "default", "examples", "example"]);

/** A schema of draft 4 in the words of draft 7: bounds that exclude are numbers there, and `id` is `$id`. */
export function fromDraft4(schema: UntrustedSchema): UntrustedSchema {
  return rewrite(schema) as UntrustedSchema;
}

function rewrite(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewrite);
  if (!isRecord(value)) return value;
  const { id, ...rest } = value;
  const entries = Object.entries(rest).map(([key, each]) => [key, values.has(key) ? each : rewrite(each)]);
  const made = Object.fromEntries(entries) as Record<string, unknown>;
  // Among properties it is a name like any other.
  if (id !== undefined) made[typeof id === "string" ? "$id" : "id"] = rewrite(id);
  exclude(made, "minimum", "exclusiveMinimum");
  exclude(made, "maximum", "exclusiveMaximum");
  return made;
}

function exclude(schema: Record<string, unknown>, bound: string, exclusive: string): void {
  const isExcluded = schema[exclusive];
  if (typeof isExcluded !== "boolean") return;
  delete schema[exclusive];
  if (!isExcluded || typeof schema[bound] !== "number") return;
  schema[exclusive] = schema[bound];
  delete schema[bound];
}
