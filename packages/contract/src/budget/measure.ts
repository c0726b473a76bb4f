import type { Envelope } from "../envelope/envelope.ts";
import type { FitOptions, TokenCounter } from "./budget-options.ts";
import type { KeyCache } from "./reduce-data.ts";

/** The budget of one response, shared by all steps of fitting. */
export interface Budget extends FitOptions {
  readonly countTokens: TokenCounter;
  readonly keysOf: KeyCache;
  /** The caller's budget, where `maxTokens` is only a share of it. */
  readonly wholeBudget: number;
}

/**
 * The greatest number of characters in a token of o200k (a run of spaces; a test reads it off the
 * vocabulary). A text longer than this times the budget exceeds it without counting.
 */
export const maxTokenLength = 128;

/** The number of characters per token above which a text that can still be shortened is not counted. */
export const usualTokenLength = 16;

/** Counts the tokens of an envelope; null when there are more than the budget allows. */
export function countUpTo(
  envelope: Envelope,
  charactersPerToken: number,
  { maxTokens, countTokens }: Budget,
): number | null {
  if (isLongerThan(envelope, maxTokens * charactersPerToken)) return null;
  const text = JSON.stringify(envelope);
  // A token has at least one byte: most responses have fewer bytes than the budget and need no counting.
  const bytes = text.length <= maxTokens ? utf8Length(text) : Number.POSITIVE_INFINITY;
  if (bytes <= maxTokens) return bytes;
  const tokens = countTokens(text, maxTokens);
  return tokens <= maxTokens ? tokens : null;
}

/** True when the JSON text of a value is certainly longer than `limit` characters; stops as soon as it is. */
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

/** Returns the length of a text in bytes of UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    // Each half of a surrogate pair counts two, which makes the four bytes of the pair.
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}
