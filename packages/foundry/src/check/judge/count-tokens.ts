import { estimateTokens } from "@foundry-mcp/contract/budget";

/** The length of the longest o200k token in characters. */
const maxTokenLength = 128;
/** The maximum number of characters that are counted. A longer text is over every limit anyway. */
const maxTextLength = 2_000_000;
/**
 * The maximum length of a chunk. Long texts are split, because the tokenizer's time is quadratic in the length of a
 * word.
 */
const maxChunkLength = 2_000;

/**
 * Returns the number of o200k tokens of a text if the number exceeds the limit, and otherwise undefined. The exact
 * tokenizer is loaded only if the estimated upper bound exceeds the limit.
 */
export async function tokensOver(text: string, limit: number): Promise<number | undefined> {
  if (estimateTokens(text.slice(0, maxTokenLength * (limit + 1))) <= limit) return undefined;
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  let tokens = 0;
  // A control token in the text, such as <|endoftext|>, is counted as plain text.
  for (const chunk of toChunks(text.slice(0, maxTextLength)))
    tokens += countTokens(chunk, { disallowedSpecial: new Set() });
  return tokens > limit ? tokens : undefined;
}

/**
 * Splits a text before spaces, because a token begins at a space anyway. A text without spaces is split inside a
 * word.
 */
function* toChunks(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const limit = start + maxChunkLength;
    const space = limit < text.length ? text.lastIndexOf(" ", limit) : text.length;
    const end = space > start ? space : limit;
    yield text.slice(start, end);
    start = end;
  }
}
