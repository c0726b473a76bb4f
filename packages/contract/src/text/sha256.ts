import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** SHA-256 of a text in UTF-8, in hex. Half a surrogate pair has no UTF-8 form and counts as U+FFFD. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** The first eight hex digits: enough to tell a mistake, not an attack. */
export function shortHash(text: string): string {
  return sha256Hex(text).slice(0, 8);
}
