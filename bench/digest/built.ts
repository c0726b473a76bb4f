import { contentHashOf } from "@foundry-mcp/toolkit/archive";

// Digests are no part of a door: they are fetched from where they were built.
const load = (file: string) =>
  import(new URL(`../../../packages/foundry/dist/${file}.js`, import.meta.url).href);

const { digestText } = (await load(
  "digest/digest-text",
)) as typeof import("../../packages/foundry/src/digest/digest-text.ts");

export const { canonicalize } = (await load(
  "digest/canonical-text",
)) as typeof import("../../packages/foundry/src/digest/canonical-text.ts");

/** All that becomes of a text: its canonical form, the hash of that, and the digest. */
export function digestWhole(source: string, query?: string): unknown {
  const canonical = canonicalize(source);
  return digestText(canonical, contentHashOf(Buffer.from(canonical.text)), { query });
}
