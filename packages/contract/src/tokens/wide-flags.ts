import { WIDE, WIDE_HEADED, WIDE_KNOWN } from "./o200k-table.ts";

/** The character is a token. */
export const KNOWN = 1;
/** The first two of its three bytes are a token. */
export const HEADED = 2;
/** The character is priced alone. */
const PRICED = 4;

/** By code point: PRICED and any of the other flags for wide characters, 0 for others. */
export function flagWide(): Uint8Array {
  const flags = new Uint8Array(0x10000);
  for (const [from, to] of WIDE) flags.fill(PRICED, from, to);
  for (const [from, to] of WIDE_HEADED) flags.fill(PRICED | HEADED, from, to);
  // A character is known only where its first two bytes are a token as well.
  for (const character of WIDE_KNOWN) flags[character.charCodeAt(0)] = PRICED | HEADED | KNOWN;
  return flags;
}
