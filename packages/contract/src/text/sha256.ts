import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** Returns the SHA-256 of a text in UTF-8, in hex. A lone surrogate has no UTF-8 form and is hashed as U+FFFD. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** Returns the first eight hex digits of a text's SHA-256. This length detects mistakes, but not attacks. */
export function shortHash(text: string): string {
  return sha256Hex(text).slice(0, 8);
}
