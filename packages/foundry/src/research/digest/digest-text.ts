import {
  countDigestChars,
  type DigestPayload,
  digestContentType,
  digestVersion,
  queryHash,
} from "@foundry-mcp/contract/digest";
import type { CanonicalText } from "./canonical-text.ts";
import { CodePointOffsets } from "./code-point-offsets.ts";
import type { QueryCounts } from "./query-postings.ts";
import { rankSentences } from "./rank-sentences.ts";
import { roundScore } from "./scores.ts";
import { type SelectedSentence, selectPassages, selectSentences } from "./select-sentences.ts";
import { findSentences } from "./sentences.ts";

/** How a text is digested. */
export interface DigestOptions {
  /** The question of the reader. @default none: the digest tells what the text is about */
  readonly query?: string | undefined;
  /** The maximum number of quotes, up to 10. @default 5 */
  readonly snippets?: number | undefined;
  /** The maximum length of the passages that a model is to read. @default none: no passages are selected */
  readonly passageChars?: number | undefined;
}

/** The result of {@link digestText}. */
export interface TextDigest {
  /** Null where no digest is shorter than the text, or the text has no words. */
  readonly digest: DigestPayload | null;
  /** False where no term of the query occurs in the text. */
  readonly isMatch: boolean;
  /** The length of the text in code points. */
  readonly chars: number;
  /** Undefined where there is no query. */
  readonly queryCounts?: QueryCounts | undefined;
  /** The passages for a model, if `passageChars` was given. */
  readonly passages?: string | undefined;
}

const maxSnippets = 10;
const maxKeyPoints = 5;
const summarySentences = 3;

/** Digests a text without a model: quotes, key points and a summary, all of them sentences of the text. */
export function digestText(source: CanonicalText, hash: string, options: DigestOptions = {}): TextDigest {
  const { query = "", passageChars } = options;
  const { text, pages } = source;
  const offsets = new CodePointOffsets(text);
  const sentences = findSentences(source);
  const { starts, ends } = sentences;
  const { scores, isMatch, queryCounts } = rankSentences(text, sentences, query);
  const snippets = Math.min(maxSnippets, Math.max(0, options.snippets ?? 5));
  const selected = selectSentences(text, sentences, scores, Math.max(snippets, maxKeyPoints));
  const textOf = ({ sentence }: SelectedSentence) => text.slice(starts[sentence], ends[sentence]);
  const toTexts = (best: readonly SelectedSentence[]): DigestTexts => ({
    summary: inReadingOrder(best.slice(0, summarySentences)).map(textOf).join(" "),
    key_points: inReadingOrder(best.slice(0, maxKeyPoints)).map(textOf),
    evidence_snippets: best.slice(0, snippets).map((each) => ({
      text: textOf(each),
      locator: offsets.toLocator(starts[each.sentence] as number, ends[each.sentence] as number, pages),
      relevance_score: isMatch ? roundScore(each.score) : 0,
    })),
  });
  return {
    digest: toDigest(selected, toTexts, offsets.total, queryHash(query), hash),
    isMatch,
    chars: offsets.total,
    ...(queryCounts === undefined ? {} : { queryCounts }),
    ...(passageChars === undefined
      ? {}
      : { passages: selectPassages(text, sentences, scores, passageChars) }),
  };
}

type DigestTexts = Pick<DigestPayload, "summary" | "key_points" | "evidence_snippets">;

/** Makes a digest of as many sentences as possible that is shorter than the text; null where there is none. */
function toDigest(
  selected: readonly SelectedSentence[],
  toTexts: (best: readonly SelectedSentence[]) => DigestTexts,
  originalChars: number,
  query: string,
  hash: string,
): DigestPayload | null {
  for (let count = selected.length; count > 0; count--) {
    const texts = toTexts(selected.slice(0, count));
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

function inReadingOrder(selected: readonly SelectedSentence[]): readonly SelectedSentence[] {
  return selected.toSorted((a, b) => a.sentence - b.sentence);
}
