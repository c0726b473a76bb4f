import type { UnknownRecord } from "@foundry-mcp/contract";

/** The value a JSON text stands for; undefined for a text that is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
