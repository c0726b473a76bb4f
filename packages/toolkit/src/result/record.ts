import type { UnknownRecord } from "@foundry-mcp/contract";

/** True for an object that is neither null nor an array. */
export function isRecord(value: unknown): value is UnknownRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value a JSON text stands for; undefined for a text that is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
