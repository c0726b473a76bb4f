import type { Envelope } from "../envelope/envelope.ts";
import type { FitOptions, TokenCounter } from "./budget-options.ts";
import type { KeyCache } from "./reduce-data.ts";

/** The budget of one response, shared by all steps of fitting. */
export interface Budget extends FitOptions {
  readonly countTokens: TokenCounter;
  readonly keysOf: KeyCache;
  /** The token counts of envelopes that fit, so that the envelope that is finally chosen is not counted again. */
  readonly counts: WeakMap<Envelope, number>;
  /** The budget that warnings name. It differs from `maxTokens` if the response is sent in another dialect. */
  readonly wholeBudget: number;
}

/**
 * The maximum number of characters in one token of the o200k vocabulary; the longest token is a run of spaces. A text
 * with more characters than `maxTokenLength` times the budget certainly exceeds the budget, so its tokens are not
 * counted. A test compares this number with the vocabulary.
 */
export const maxTokenLength = 128;

/** The number of characters per token of the budget above which a text is shortened before its tokens are counted. */
export const usualTokenLength = 16;

/** Returns the number of tokens of an envelope, or null if it exceeds the budget. */
export function countUpTo(envelope: Envelope, charactersPerToken: number, budget: Budget): number | null {
  const known = budget.counts.get(envelope);
  if (known !== undefined) return known;
  const count = countOnce(envelope, charactersPerToken, budget);
  if (count !== null) budget.counts.set(envelope, count);
  return count;
}

function countOnce(
  envelope: Envelope,
  charactersPerToken: number,
  { maxTokens, countTokens }: Budget,
): number | null {
  if (isLongerThan(envelope, maxTokens * charactersPerToken)) return null;
  const text = JSON.stringify(envelope);
  // Every token has at least one byte. A text with fewer bytes than the budget has tokens certainly fits, and most
  // responses are that short, so their tokens are not counted.
  const bytes = text.length <= maxTokens ? utf8Length(text) : Number.POSITIVE_INFINITY;
  if (bytes <= maxTokens) return bytes;
  const tokens = countTokens(text, maxTokens);
  return tokens <= maxTokens ? tokens : null;
}

/**
 * True when the JSON text of a value is certainly longer than `limit` characters; stops as soon as the limit is
 * exceeded.
 */
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
    // Each half of a surrogate pair counts as two bytes, because the pair takes four bytes.
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

/** The number of characters of a sample, and the number of samples of a text. */
const sampleLength = 2_048;
const samples = 6;

/**
 * Estimates how many characters of a value's JSON text fit the budget, by counting the tokens of samples. Returns
 * undefined if the text is too short or too long for an estimate.
 */
export function estimateFittingLength(
  value: unknown,
  { maxTokens, countTokens }: Budget,
): number | undefined {
  if (isLongerThan(value, maxTokens * usualTokenLength)) return undefined;
  const text = JSON.stringify(value);
  const step = Math.floor(text.length / samples);
  if (step < sampleLength) return undefined;
  let tokens = 0;
  for (let index = 0; index < samples; index++)
    tokens += countTokens(text.slice(index * step, index * step + sampleLength), Number.POSITIVE_INFINITY);
  return Math.floor((maxTokens * samples * sampleLength) / Math.max(1, tokens));
}
