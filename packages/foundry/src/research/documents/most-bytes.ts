import { UnusableDocument } from "./unusable-document.ts";

/** So many bytes a document may have where nothing else is said: 64 MiB. */
export const mostBytes = 64 * 2 ** 20;

/** The failure for a document that has more bytes than it may. */
export function tooLarge(maxBytes: number): UnusableDocument {
  return new UnusableDocument("too_large", `It has more than ${maxBytes.toLocaleString("en")} bytes`);
}
