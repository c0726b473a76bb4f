import {
  countDigestChars,
  type DigestPayload,
  digestContentType,
  digestVersion,
  queryHash,
} from "@foundry-mcp/contract/digest";
import type { CanonicalText } from "./canonical-text.ts";
import { CodePointOffsets } from "./code-point-offsets.ts";
import { type Confidence, measureEvidence, toConfidence } from "./confidence.ts";
import { findPassages, type Passage } from "./passages.ts";
import type { QueryCounts } from "./query-postings.ts";
import { type FoundTerms, rankSentences } from "./rank-sentences.ts";
import { roundScore, type Scores } from "./scores.ts";
import { findSections, headingPath, type Sections } from "./sections.ts";
import { selectPassages, selectSentences } from "./select-sentences.ts";
import { findSentences, type Sentences } from "./sentences.ts";

/** The options of a digest. */
export interface DigestOptions {
  /**
   * The question of the reader. Without a question, the digest summarizes the whole text.
   * @default none
   */
  readonly query?: string | undefined;
  /** The maximum number of quotes, up to 10. @default 5 */
  readonly snippets?: number | undefined;
  /**
   * The maximum length, in characters, of the passages that a model reads. If it is not set, no passages are selected.
   * @default none
   */
  readonly passageChars?: number | undefined;
}

/** The section that contains a quote. */
export interface QuoteSection {
  /** The titles of the section and of the sections around it, outermost first. */
  readonly path: readonly string[];
  /** The page of a document with pages, counted from 1. */
  readonly page?: number;
}

/** How well a digest answers its query. */
export interface Answerability {
  readonly confidence: Confidence;
  /** The content words of the query, which an answer is expected to contain. */
  readonly sought: readonly string[];
  /** The words in `sought` that the text does not contain, in any inflected form or as a synonym. */
  readonly missing: readonly string[];
}

/** The result of {@link digestText}. */
export interface TextDigest {
  /** The digest. Null if no digest is shorter than the text, or if the text has no words. */
  readonly digest: DigestPayload | null;
  /** False if no term of the query occurs in the text. */
  readonly isMatch: boolean;
  /** How well the text answers the query. Undefined if there is no query. */
  readonly answerability?: Answerability | undefined;
  /** The section of each quote of the digest. */
  readonly sections: readonly QuoteSection[];
  /** The length of the text in code points. */
  readonly chars: number;
  /** The term counts of the query. Undefined if there is no query. */
  readonly queryCounts?: QueryCounts | undefined;
  /** The passages for a model, if `passageChars` was given. */
  readonly passages?: string | undefined;
}

const maxSnippets = 10;
/**
 * The maximum number of key points without a query (`general`) and with a query (`asked`). With a query, there are
 * fewer, because the quotes already answer it in more detail.
 */
const maxKeyPoints = { general: 5, asked: 2 };
/** The number of sentences in a summary without a query (`general`) and with a query (`asked`). */
const summarySentences = { general: 3, asked: 1 };

/** Digests a text without a model. The quotes, key points and summary are all sentences of the text. */
export function digestText(source: CanonicalText, hash: string, options: DigestOptions = {}): TextDigest {
  const { query = "", passageChars } = options;
  const { text, pages } = source;
  const sentences = findSentences(source);
  const sections = findSections(source, sentences);
  const { scores, found } = rankSentences(text, sentences, sections, query);
  const snippets = Math.min(maxSnippets, Math.max(0, options.snippets ?? 5));
  const kind = found === undefined ? "general" : "asked";
  const wanted = Math.max(snippets, maxKeyPoints[kind]);
  const passages = selectQuotes(source, sentences, scores, found, wanted);
  const answerability = found && judge(found, passages);
  const offsets = new CodePointOffsets(text);
  const writer = new DigestWriter({
    source,
    sentences,
    scores,
    offsets,
    found,
    answerability,
    snippets,
    kind,
  });
  const digest = writer.write(passages, queryHash(query), hash);
  const quoted = passages.slice(0, digest?.evidence_snippets.length ?? 0);
  return {
    digest,
    isMatch: found?.isMatch ?? true,
    ...(answerability === undefined ? {} : { answerability }),
    sections: quoted.map((passage) => toQuoteSection(text, sections, passage, sentences, pages)),
    chars: offsets.total,
    ...(found === undefined ? {} : { queryCounts: found.counts }),
    ...(passageChars === undefined
      ? {}
      : { passages: selectPassages(text, sentences, scores, passageChars) }),
  };
}

/** Selects passages if the query matches the text. Otherwise, selects single sentences. */
function selectQuotes(
  source: CanonicalText,
  sentences: Sentences,
  scores: Scores,
  found: FoundTerms | undefined,
  wanted: number,
): readonly Passage[] {
  if (found?.isMatch) return findPassages(source, found.ranked, scores, wanted);
  return selectSentences(source.text, sentences, scores, wanted).map((selected) => ({
    ...selected,
    first: selected.sentence,
    last: selected.sentence,
  }));
}

function judge(found: FoundTerms, passages: readonly Passage[]): Answerability {
  const { ranked, query, weights, counts, isMatch } = found;
  const evidence = measureEvidence(ranked, query, weights, isMatch ? passages : []);
  const named = query.terms.flatMap(({ word, weight }, term) =>
    word === undefined ? [] : [{ word, weight, isMissing: counts.counts[term] === 0 }],
  );
  // Generic words have a lower weight. They are reported only if the query has no other words.
  const specific = named.filter(({ weight }) => weight === 1);
  const sought = specific.length === 0 ? named : specific;
  return {
    confidence: isMatch ? toConfidence(evidence) : "none",
    sought: sought.map(({ word }) => word),
    missing: sought.filter(({ isMissing }) => isMissing).map(({ word }) => word),
  };
}

function toQuoteSection(
  text: string,
  sections: Sections,
  { sentence }: Passage,
  { starts }: Sentences,
  pages: readonly number[] | undefined,
): QuoteSection {
  const path = headingPath(text, sections, sections.ofSentence[sentence] as number);
  if (pages === undefined) return { path };
  const start = starts[sentence] as number;
  return { path, page: Math.max(1, pages.findLastIndex((page) => page <= start) + 1) };
}

interface DigestWriterOptions {
  readonly source: CanonicalText;
  readonly sentences: Sentences;
  readonly scores: Scores;
  readonly offsets: CodePointOffsets;
  readonly found: FoundTerms | undefined;
  readonly answerability: Answerability | undefined;
  readonly snippets: number;
  readonly kind: "general" | "asked";
}

type DigestTexts = Pick<DigestPayload, "summary" | "key_points" | "evidence_snippets">;

/** Writes the payload of a digest from passages. */
class DigestWriter {
  readonly #options: DigestWriterOptions;

  constructor(options: DigestWriterOptions) {
    this.#options = options;
  }

  /**
   * Builds a digest from as many of the passages as possible. A digest must be shorter than the text; returns null if
   * even one passage is too long.
   */
  write(passages: readonly Passage[], query: string, hash: string): DigestPayload | null {
    const originalChars = this.#options.offsets.total;
    for (let count = passages.length; count > 0; count--) {
      const texts = this.#toTexts(passages.slice(0, count));
      const chars = countDigestChars(texts);
      if (chars >= originalChars) continue;
      return {
        version: digestVersion,
        content_type: digestContentType,
        query_hash: query,
        ...texts,
        original_chars: originalChars,
        digest_chars: chars,
        compression_ratio: chars / originalChars,
        source_text_hash: hash,
      };
    }
    return null;
  }

  /** Returns the summary, key points and quotes. A digest that does not answer its query has only quotes. */
  #toTexts(passages: readonly Passage[]): DigestTexts {
    const { source, sentences, offsets, snippets, kind, answerability, found } = this.#options;
    const { starts, ends } = sentences;
    const { text, pages } = source;
    const isAnswer = answerability?.confidence !== "none";
    const sentenceOf = ({ sentence }: Passage) => text.slice(starts[sentence], ends[sentence]);
    const claims = isAnswer ? passages : [];
    return {
      summary: inReadingOrder(claims.slice(0, summarySentences[kind])).map(sentenceOf).join(" "),
      key_points: inReadingOrder(claims.slice(0, maxKeyPoints[kind])).map(sentenceOf),
      evidence_snippets: passages.slice(0, snippets).map(({ first, last, score }) => {
        const [start, end] = [starts[first] as number, ends[last] as number];
        return {
          text: text.slice(start, end),
          locator: offsets.toLocator(start, end, pages),
          relevance_score: found?.isMatch === false ? 0 : roundScore(score),
        };
      }),
    };
  }
}

function inReadingOrder(selected: readonly Passage[]): readonly Passage[] {
  return selected.toSorted((a, b) => a.sentence - b.sentence);
}
