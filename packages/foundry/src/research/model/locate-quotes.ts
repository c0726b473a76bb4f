import { type EvidenceSnippet, formatLocator, parseLocator } from "@foundry-mcp/contract/digest";
import { canonicalize } from "../digest/canonical-text.ts";
import { CodePoints } from "../digest/code-point-offsets.ts";

/** The text in which quotes have to stand. */
export interface QuotedText {
  readonly canonicalText: string;
  /** Where pages begin, in UTF-16 units; undefined for what has none. */
  readonly pages?: readonly number[] | undefined;
}

/** Quotes with their places. */
export interface PlacedQuotes {
  /** The new ones, in the order in which they came. */
  readonly added: readonly EvidenceSnippet[];
  /** How many are not in the text. */
  readonly missing: number;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

const fewestPoints = 12;
const mostPoints = 500;
/** So many quotes are looked for: each takes a walk through the text. */
const mostQuotes = 20;

/**
 * Finds quotes in a text exactly; what is not there, or stands in the evidence already, is left out. Nobody measured
 * how relevant they are, so that none is more than the least of the evidence.
 */
export function placeQuotes(
  quotes: readonly string[],
  { canonicalText, pages }: QuotedText,
  evidence: readonly EvidenceSnippet[],
): PlacedQuotes {
  const points = new CodePoints(canonicalText);
  const taken: Span[] = evidence.map(({ locator }) => parseLocator(locator));
  const scores = evidence.map((snippet) => snippet.relevance_score);
  const relevance_score = scores.length === 0 ? 0 : Math.min(...scores);
  const added: EvidenceSnippet[] = [];
  let missing = 0;
  for (const quote of quotes.slice(0, mostQuotes)) {
    const { text } = canonicalize(quote);
    const unit = canonicalText.indexOf(text);
    if (unit === -1) {
      missing++;
      continue;
    }
    const span = { start: points.at(unit), end: points.at(unit + text.length) };
    const size = span.end - span.start;
    if (size < fewestPoints || size > mostPoints) continue;
    // A part of a quote adds nothing to it.
    if (taken.some(({ start, end }) => start <= span.start && span.end <= end)) continue;
    taken.push(span);
    const page = pages && pages.findLastIndex((first) => first <= unit) + 1;
    added.push({
      text,
      locator: formatLocator({ ...span, ...(page ? { page } : {}) }),
      relevance_score,
    });
  }
  return { added, missing };
}
