import { contentHashOf } from "@foundry-mcp/toolkit/archive";
import { canonicalize } from "#built/foundry/research/digest/canonical-text.js";
import { digestText } from "#built/foundry/research/digest/digest-text.js";

export { canonicalize };

/** Processes a text completely: computes its canonical form, its hash and its digest. */
export function digestWhole(source: string, query?: string): unknown {
  const canonical = canonicalize(source);
  return digestText(canonical, contentHashOf(Buffer.from(canonical.text)), { query });
}
