import {
  countDigestChars,
  type DigestPayload,
  digestContentType,
  digestVersion,
  type EvidenceSnippet,
  formatLocator,
  queryHash,
} from "@foundry-mcp/contract/digest";
import type { CanonicalText } from "./canonical-text.ts";
import { choosePassages } from "./choose-passages.ts";
import { CodePoints } from "./code-point-offsets.ts";
import { fitDigest, mostKeyPoints } from "./fit-digest.ts";
import { type Picked, pickSentences } from "./pick-sentences.ts";
import { countsOf, findHits, type QueryCounts } from "./query-postings.ts";
import { rankByCentrality } from "./rank-by-centrality.ts";
import { rankHits } from "./rank-by-query.ts";
import type { Scores } from "./scores.ts";
import { findSentences, type Sentences } from "./sentences.ts";
import { withoutHeadings } from "./without-headings.ts";

/** How a text is digested. */
export interface DigestOptions {
  /** What the reader wants to know. @default what the text is about */
  readonly query?: string | undefined;
  /** How many quotes at most, up to ten. @default 5 */
  readonly snippets?: number | undefined;
  /** How many characters of the text a model is to read; the best of a longer one. @default none are chosen */
  readonly passageChars?: number | undefined;
}

/** What came of a text. */
export interface TextDigest {
  /** Null where the text is too short for a digest that is shorter, or has no words. */
  readonly digest: DigestPayload | null;
  /** False where the text has no word of the query. */
  readonly isMatch: boolean;
  /** In code points. */
  readonly chars: number;
  /** How often the text has the words of the query, where there is one. */
  readonly queryCounts?: QueryCounts | undefined;
  /** What a model is to read, where that was asked for. */
  readonly passages?: string | undefined;
}

/** A payload holds no more. */
const mostSnippets = 10;

/**
 * Digests a text without a model: quotes that answer the question, the points they make, and a summary of its own
 * sentences. The hash is that of the text.
 */
export function digestText(source: CanonicalText, hash: string, options: DigestOptions = {}): TextDigest {
  const { query = "", passageChars } = options;
  const { text } = source;
  const points = new CodePoints(text);
  const sentences = findSentences(source);
  const { scores, isMatch, queryCounts } = rank(text, sentences, query);
  const snippets = Math.min(mostSnippets, Math.max(0, options.snippets ?? 5));
  const texts = fitDigest(points.total, {
    picked: pickSentences(text, sentences, scores, Math.max(snippets, mostKeyPoints)),
    snippets,
    textOf: ({ sentence }) => text.slice(sentences.starts[sentence], sentences.ends[sentence]),
    // What answers nothing that was asked is relevant to nothing.
    snippetOf: (each) => toSnippet(isMatch ? each : { ...each, score: 0 }, sentences, source, points),
  });
  return {
    digest: texts === undefined ? null : toPayload(texts, points.total, queryHash(query), hash),
    isMatch,
    chars: points.total,
    ...(queryCounts === undefined ? {} : { queryCounts }),
    ...(passageChars === undefined
      ? {}
      : { passages: choosePassages(text, sentences, scores, passageChars) }),
  };
}

interface Ranked {
  readonly scores: Scores;
  readonly isMatch: boolean;
  readonly queryCounts?: QueryCounts;
}

/** Scores by the query, or by what the text is about where there is none, or none of its words. */
function rank(text: string, sentences: Sentences, query: string): Ranked {
  if (query.trim() === "")
    return { scores: withoutHeadings(text, sentences, rankByCentrality(text, sentences)), isMatch: true };
  const hits = findHits(text, sentences, query);
  const queryCounts = countsOf(hits);
  const asked = rankHits(sentences, hits);
  const isMatch = asked.some((score) => score > 0);
  const scores = isMatch ? asked : rankByCentrality(text, sentences);
  return { scores: withoutHeadings(text, sentences, scores), isMatch, queryCounts };
}

function toPayload(
  texts: Pick<DigestPayload, "summary" | "key_points" | "evidence_snippets">,
  original: number,
  query: string,
  hash: string,
): DigestPayload {
  const chars = countDigestChars(texts);
  return {
    version: digestVersion,
    content_type: digestContentType,
    query_hash: query,
    ...texts,
    original_chars: original,
    digest_chars: chars,
    compression_ratio: chars / original,
    source_text_hash: hash,
  };
}

function toSnippet(
  { sentence, score }: Picked,
  { starts, ends }: Sentences,
  { text, pages }: CanonicalText,
  points: CodePoints,
): EvidenceSnippet {
  const [start, end] = [starts[sentence] as number, ends[sentence] as number];
  const page = pages && pages.findLastIndex((first) => first <= start) + 1;
  return {
    text: text.slice(start, end),
    locator: formatLocator({ start: points.at(start), end: points.at(end), ...(page ? { page } : {}) }),
    relevance_score: Math.round(score * 10_000) / 10_000,
  };
}
