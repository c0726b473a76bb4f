import { canonicalize } from "../digest/canonical-text.ts";

/** What is not seen and changes how the rest is shown: control characters, marks that turn the direction round. */
const unseen = /\p{Cc}|[\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** A text of a model as one line: no control characters, one space for each stretch of white space. */
export function cleanText(text: string): string {
  // White space first: line ends are control characters too, and part words.
  return canonicalize(canonicalize(text).text.replace(unseen, "")).text;
}
