import { type EvidenceSnippet, parseLocator } from "@foundry-mcp/contract/digest";
import { canonicalize } from "../digest/canonical-text.ts";
import { CodePointOffsets } from "../digest/code-point-offsets.ts";

/** The text in which quotes are located. */
export interface QuotedText {
  readonly canonicalText: string;
  /** The UTF-16 offsets at which pages begin. Undefined for a document without pages. */
  readonly pages?: readonly number[] | undefined;
}

/** The result of {@link locateQuotes}. */
export interface LocatedQuotes {
  /** The quotes that are not yet in the evidence, in the given order. */
  readonly added: readonly EvidenceSnippet[];
  /** The number of quotes that do not occur in the text. */
  readonly missing: number;
}

const minQuotePoints = 12;
const maxQuotePoints = 500;
/** The maximum number of quotes. Further quotes are ignored, because each quote takes a scan of the text. */
const maxQuotes = 20;

/**
 * Locates exact quotes in a text, and drops quotes that do not occur in the text or are already in the evidence. The
 * relevance of the quotes is unknown, so they receive the lowest score in the evidence.
 */
export function locateQuotes(
  quotes: readonly string[],
  { canonicalText, pages }: QuotedText,
  evidence: readonly EvidenceSnippet[],
): LocatedQuotes {
  const offsets = new CodePointOffsets(canonicalText);
  const spans = evidence.map(({ locator }) => parseLocator(locator));
  const scores = evidence.map((snippet) => snippet.relevance_score);
  const relevance_score = scores.length === 0 ? 0 : Math.min(...scores);
  const added: EvidenceSnippet[] = [];
  let missing = 0;
  for (const quote of quotes.slice(0, maxQuotes)) {
    const { text } = canonicalize(quote);
    const unit = canonicalText.indexOf(text);
    if (unit === -1) {
      missing++;
      continue;
    }
    const locator = offsets.toLocator(unit, unit + text.length, pages);
    const span = parseLocator(locator);
    const size = span.end - span.start;
    if (size < minQuotePoints || size > maxQuotePoints) continue;
    if (spans.some(({ start, end }) => start <= span.start && span.end <= end)) continue;
    spans.push(span);
    added.push({ text, locator, relevance_score });
  }
  return { added, missing };
}
