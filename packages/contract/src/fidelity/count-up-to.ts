import type { Envelope } from "../envelope/envelope.ts";
import type { FitOptions, TokenCounter } from "./budget-options.ts";
import type { Reduction } from "./reduce-data.ts";
import { isLongerThan, utf8Length } from "./text-size.ts";

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
