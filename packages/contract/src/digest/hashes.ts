import { sha256Hex, shortHash } from "../text/sha256.ts";

/** The key under which digests for a query are cached: eight hex digits, of the query as it is, untrimmed. */
export function queryHash(query: string): string {
  return shortHash(query);
}

/** The hash that names a canonical text: `sha256:` and 64 hex digits. */
export function sourceTextHash(text: string): string {
  return `sha256:${sha256Hex(text)}`;
}
