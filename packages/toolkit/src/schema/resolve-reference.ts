import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import type { JsonSchema } from "./schema.ts";

/** Resolves a reference within the schema, such as `#/$defs/task`. */
export function resolveReference(reference: unknown, root: JsonSchema): JsonSchema | undefined {
  if (typeof reference !== "string" || !reference.startsWith("#")) return undefined;
  let found: unknown = root;
  for (const part of reference.slice(1).split("/").slice(1)) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    found = isRecord(found) || Array.isArray(found) ? (found as UnknownRecord)[key] : undefined;
  }
  return isRecord(found) ? found : undefined;
}
