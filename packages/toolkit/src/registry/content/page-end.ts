import { validationError } from "@foundry-mcp/contract";
import type { TokenCounter } from "@foundry-mcp/contract/budget";

/** The token budget for the text in a response. */
export interface TextBudget {
  /** The budget of the whole response, in tokens; 0 for no limit. */
  readonly maxTokens: number;
  /** The tokens of the response without the text. */
  readonly emptyTokens: number;
  readonly countTokens: TokenCounter;
}

/**
 * Finds the end of a page that begins at `start`. The page fits the budget and is nearly as long as possible.
 * The end is the index of a code unit and never inside a surrogate pair.
 */
export function findPageEnd(text: string, start: number, last: number, budget: TextBudget): number {
  const { maxTokens, emptyTokens, countTokens } = budget;
  if (maxTokens === 0 || last === start) return last;
  const maxTextTokens = maxTokens - emptyTokens - reserveOf(budget);
  // Search between an end that fits and an end that does not fit. An estimate from the number of tokens per
  // character in the last attempt is usually close, but converges slowly if this number varies within the
  // text. So every second attempt uses the middle between both ends.
  let fits = start;
  let exceeds = last + 1;
  let guess = start + maxTextTokens * 4;
  for (let tries = 1; ; tries++) {
    const end = boundaryBetween(text, fits, exceeds, guess);
    if (end === undefined) break;
    const tokens = countTokens(JSON.stringify(text.slice(start, end)), Math.max(1, maxTextTokens) * 4);
    if (tokens <= maxTextTokens) fits = end;
    else exceeds = end;
    if (fits === last || fits - start >= (exceeds - start) * closeEnough) break;
    if (fits === end && tokens >= maxTextTokens * closeEnough) break;
    const byDensity = start + Math.floor(((end - start) * maxTextTokens) / Math.max(1, tokens));
    guess = tries < 3 || tries % 2 === 1 ? byDensity : (fits + exceeds) >>> 1;
  }
  if (fits === start) throw budgetTooSmall(budget);
  return fits;
}

const closeEnough = 0.9;

/**
 * Returns the number of tokens to reserve for warnings and for the metadata about a low quota, which are
 * added later.
 */
function reserveOf({ maxTokens, emptyTokens }: TextBudget): number {
  const preferred = 150 + Math.ceil(maxTokens / 50);
  return Math.max(minReserve, Math.min(preferred, maxTokens - emptyTokens - minTextTokens));
}

const minReserve = 8;
/**
 * The minimum number of tokens for text, enough for any single character in quotes, so that every page makes progress.
 */
const minTextTokens = 16;

/**
 * Returns a character boundary near the estimate and strictly between two given boundaries; undefined if there is
 * none.
 */
function boundaryBetween(text: string, low: number, high: number, guess: number): number | undefined {
  const wanted = Math.max(low + 1, Math.min(high - 1, guess));
  return [wanted, wanted - 1, wanted + 1].find(
    (unit) => unit > low && unit < high && !isInsidePair(text, unit),
  );
}

/** True if the position is between the halves of a surrogate pair. */
function isInsidePair(text: string, unit: number): boolean {
  const isLow = (text.charCodeAt(unit) & 0xfc00) === 0xdc00;
  return isLow && (text.charCodeAt(unit - 1) & 0xfc00) === 0xd800;
}

function budgetTooSmall({ maxTokens, emptyTokens }: TextBudget) {
  const least = emptyTokens + minTextTokens + minReserve;
  return validationError(
    {
      field: "max_tokens",
      constraint: "minimum",
      expected: `at least ${least}, or 0 for no limit`,
      received: maxTokens,
      message: `max_tokens is ${maxTokens}, too few for any text besides the fields of every answer`,
    },
    { remediation: `Call again with a {--max_tokens} of at least ${least}; 0 gives the whole.` },
  );
}
