import { estimateTokens } from "@foundry-mcp/contract/budget";

/** The longest token of o200k has so many characters. */
const longestToken = 128;
/** A longer text is counted in part: it is over every limit there is. */
const longestCounted = 2_000_000;
/** The tokenizer takes the square of the length of a word; a text that is one word is cut. */
const longestPiece = 2_000;

/**
 * How many tokens (o200k) a text takes where that is more than the limit, else undefined. The upper bound
 * answers at once for most; where it says too much, the exact tokenizer decides.
 */
export async function tokensOver(text: string, limit: number): Promise<number | undefined> {
  if (estimateTokens(text.slice(0, longestToken * (limit + 1))) <= limit) return undefined;
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  let tokens = 0;
  // A text may hold what looks like a control token; to a model it is text all the same.
  for (const piece of toPieces(text.slice(0, longestCounted)))
    tokens += countTokens(piece, { disallowedSpecial: new Set() });
  return tokens > limit ? tokens : undefined;
}

/** Cut in front of blanks, where tokens begin anyway; in the middle of a word only where there is no blank. */
function* toPieces(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const most = start + longestPiece;
    const blank = most < text.length ? text.lastIndexOf(" ", most) : text.length;
    const end = blank > start ? blank : most;
    yield text.slice(start, end);
    start = end;
  }
}
