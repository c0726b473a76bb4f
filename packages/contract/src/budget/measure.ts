import type { Envelope } from "../envelope/envelope.ts";
import type { FitOptions, TokenCounter } from "./budget-options.ts";
import type { Reduction } from "./reduce-data.ts";

/**
 * No token of o200k holds more than this many characters (a run of spaces; a test reads it off the
 * vocabulary). A text longer than this times the budget is over it, without counting.
 */
export const longestToken = 128;

/** True when a value's JSON text is certainly longer than `limit` characters; looks at no more than it must. */
export function isLongerThan(root: unknown, limit: number): boolean {
  let size = 0;
  const stack: unknown[] = [root];
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value === "string") size += value.length + 2;
    else if (typeof value !== "object" || value === null) size += 1;
    else if (Array.isArray(value)) {
      size += value.length + 1;
      if (size > limit) return true;
      for (const item of value) stack.push(item);
    } else {
      for (const key in value) {
        size += key.length + 4;
        if (size > limit) return true;
        stack.push((value as Record<string, unknown>)[key]);
      }
    }
    if (size > limit) return true;
  }
  return false;
}

/** How many bytes a text has in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    // Each half of a surrogate pair counts two, which makes the four bytes of the pair.
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

/** What the steps of fitting share. */
export interface Budget extends FitOptions {
  readonly countTokens: TokenCounter;
  readonly keysOf: Reduction["keysOf"];
  /** The budget that the caller gave, where only a share of it is to be used. */
  readonly wholeBudget: number;
}

/** A text of more characters than this for each token of the budget is not worth counting when it may be shortened further. */
export const usualToken = 16;

/** The tokens of an envelope, or null when there are more than the budget allows. */
export function countUpTo(
  envelope: Envelope,
  charactersPerToken: number,
  { maxTokens, countTokens }: Budget,
): number | null {
  if (isLongerThan(envelope, maxTokens * charactersPerToken)) return null;
  const text = JSON.stringify(envelope);
  // A token is at least a byte: most answers are shorter than the budget and need no counting.
  const bytes = text.length <= maxTokens ? utf8Length(text) : Number.POSITIVE_INFINITY;
  if (bytes <= maxTokens) return bytes;
  const tokens = countTokens(text, maxTokens);
  return tokens <= maxTokens ? tokens : null;
}
