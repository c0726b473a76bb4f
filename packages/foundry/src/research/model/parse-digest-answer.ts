import { countDigestChars, type DigestPayload } from "@foundry-mcp/contract/digest";
import { cleanText } from "./clean-text.ts";
import { cutText } from "./plain-text.ts";
import { findObject } from "./extract-json.ts";
import { ModelFailure } from "./model-failure.ts";
import { placeQuotes, type QuotedText } from "./locate-quotes.ts";

/** A digest that a model wrote. */
export interface WrittenDigest {
  readonly digest: DigestPayload;
  /** Quotes that are not in the source. */
  readonly droppedQuotes: number;
}

const longestSummary = 2_000;
const longestKeyPoint = 500;
const mostKeyPoints = 10;
const mostSnippets = 10;

/**
 * Makes a digest of the answer of a model: its summary and its key points, what was extracted as evidence, and those
 * of its quotes that are in the text. Throws a ModelFailure where that is no digest, or none shorter than the text.
 */
export function digestFromAnswer(
  answer: string,
  extracted: DigestPayload,
  source: QuotedText,
): WrittenDigest {
  const found = findObject(answer, "summary");
  const summary = toText(found?.["summary"], longestSummary);
  const keyPoints = toKeyPoints(found?.["key_points"]);
  if (summary === "" || keyPoints.length === 0)
    throw new ModelFailure("garbage", "The answer of the model has no summary or no key points");
  const { evidence_snippets: evidence } = extracted;
  const { added, missing } = placeQuotes(textsOf(found?.["quotes"]), source, evidence);
  const texts = fit(extracted.original_chars, {
    summary,
    key_points: keyPoints,
    evidence_snippets: [...evidence, ...added].slice(0, Math.max(mostSnippets, evidence.length)),
    fewest: evidence.length,
  });
  const chars = countDigestChars(texts);
  const digest = {
    ...extracted,
    ...texts,
    digest_chars: chars,
    compression_ratio: chars / extracted.original_chars,
  };
  return { digest, droppedQuotes: missing };
}

function toKeyPoints(value: unknown): readonly string[] {
  const points = textsOf(value).map((each) => toText(each, longestKeyPoint));
  return [...new Set(points)].filter((each) => each !== "").slice(0, mostKeyPoints);
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function toText(value: unknown, most: number): string {
  return typeof value === "string" ? cutText(cleanText(value), most) : "";
}

type Texts = Pick<DigestPayload, "summary" | "key_points" | "evidence_snippets">;

/** As much as is shorter than the source: quotes of the model go first, then key points, the last ones before others. */
function fit(original: number, { fewest, ...given }: Texts & { readonly fewest: number }): Texts {
  let texts = given;
  while (countDigestChars(texts) >= original) {
    const { key_points, evidence_snippets } = texts;
    if (evidence_snippets.length > fewest)
      texts = { ...texts, evidence_snippets: evidence_snippets.slice(0, -1) };
    else if (key_points.length > 1) texts = { ...texts, key_points: key_points.slice(0, -1) };
    else throw new ModelFailure("garbage", "The digest of the model is not shorter than its source");
  }
  return texts;
}
