import { validationError } from "@foundry-mcp/contract";
import type { TokenCounter } from "@foundry-mcp/contract/budget";

/** How much of a text an answer can hold. */
export interface TextBudget {
  /** The budget of the whole answer, in tokens; 0 for none. */
  readonly maxTokens: number;
  /** What the answer takes without the text. */
  readonly bareTokens: number;
  readonly countTokens: TokenCounter;
}

/** Where the piece of a text that begins at `start` ends so that the answer fits: a code unit, never inside a character. */
export function findPageEnd(text: string, start: number, last: number, budget: TextBudget): number {
  const { maxTokens, bareTokens, countTokens } = budget;
  if (maxTokens === 0 || last === start) return last;
  const most = maxTokens - bareTokens - roomFor(budget);
  // The end is sought between what is known to fit and what is known not to. A guess by the tokens that
  // the last piece took is seldom far off; in a text that is not alike throughout it may creep, so that
  // every second time the middle is tried.
  let fits = start;
  let fitsNot = last + 1;
  let guess = start + most * 4;
  for (let tries = 1; ; tries++) {
    const end = placeBetween(text, fits, fitsNot, guess);
    if (end === undefined) break;
    const tokens = countTokens(JSON.stringify(text.slice(start, end)), Math.max(1, most) * 4);
    if (tokens <= most) fits = end;
    else fitsNot = end;
    if (fits === last || fits - start >= (fitsNot - start) * closeEnough) break;
    if (fits === end && tokens >= most * closeEnough) break;
    const byTokens = start + Math.floor(((end - start) * most) / Math.max(1, tokens));
    guess = tries < 3 || tries % 2 === 1 ? byTokens : (fits + fitsNot) >>> 1;
  }
  if (fits === start) throw budgetTooSmall(budget);
  return fits;
}

const closeEnough = 0.9;

/** Room for what is not known yet: warnings of the path, a quota that runs low. */
function roomFor({ maxTokens, bareTokens }: TextBudget): number {
  const usual = 150 + Math.ceil(maxTokens / 50);
  return Math.max(leastRoom, Math.min(usual, maxTokens - bareTokens - leastPiece));
}

const leastRoom = 8;
/** Every page makes headway: so many tokens hold a character of any kind, in quotes. */
const leastPiece = 16;

/** A place strictly between two others and near the guess; undefined where only the inside of a character is left. */
function placeBetween(text: string, low: number, high: number, guess: number): number | undefined {
  const wanted = Math.max(low + 1, Math.min(high - 1, guess));
  return [wanted, wanted - 1, wanted + 1].find(
    (place) => place > low && place < high && !isInside(text, place),
  );
}

/** True between the halves of a surrogate pair. */
function isInside(text: string, place: number): boolean {
  const isLow = (text.charCodeAt(place) & 0xfc00) === 0xdc00;
  return isLow && (text.charCodeAt(place - 1) & 0xfc00) === 0xd800;
}

function budgetTooSmall({ maxTokens, bareTokens }: TextBudget) {
  const least = bareTokens + leastPiece + leastRoom;
  return validationError(
    {
      field: "max_tokens",
      constraint: "minimum",
      expected: `at least ${least}, or 0 for no limit`,
      received: maxTokens,
      message: `max_tokens is ${maxTokens}, too little for any text beside what every answer holds`,
    },
    { remediation: `Call again with a max_tokens of at least ${least}; 0 gives the whole.` },
  );
}
