import { countDigestChars, type DigestPayload } from "@foundry-mcp/contract/digest";
import { extractJsonObject } from "./extract-json.ts";
import { locateQuotes, type QuotedText } from "./locate-quotes.ts";
import { ModelFailure } from "./model-failure.ts";
import { toPlainLine, truncateText } from "./plain-text.ts";

/** A digest whose summary and key points a model wrote. */
export interface WrittenDigest {
  readonly digest: DigestPayload;
  /** The number of the model's quotes that do not occur in the source. */
  readonly droppedQuotes: number;
}

const maxSummaryPoints = 2_000;
const maxKeyPointLength = 500;
const maxKeyPoints = 10;
const maxSnippets = 10;

/**
 * Parses the answer of a model to a digest. The digest has the model's summary and key points, the extracted quotes,
 * and the model's quotes that occur in the text. Throws a ModelFailure if the answer is not a digest or is longer
 * than the text.
 */
export function parseDigestAnswer(
  answer: string,
  extracted: DigestPayload,
  source: QuotedText,
): WrittenDigest {
  const found = extractJsonObject(answer, "summary");
  const summary = toText(found?.["summary"], maxSummaryPoints);
  const keyPoints = toKeyPoints(found?.["key_points"]);
  if (summary === "" || keyPoints.length === 0)
    throw new ModelFailure("garbage", "The answer of the model has no summary or no key points");
  const { evidence_snippets: evidence } = extracted;
  const { added, missing } = locateQuotes(stringsOf(found?.["quotes"]), source, evidence);
  const snippets = [...evidence, ...added].slice(0, Math.max(maxSnippets, evidence.length));
  const texts = shortenTexts(
    { summary, key_points: keyPoints, evidence_snippets: snippets },
    evidence.length,
    extracted.original_chars,
  );
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
  const points = stringsOf(value).map((each) => toText(each, maxKeyPointLength));
  return [...new Set(points)].filter((each) => each !== "").slice(0, maxKeyPoints);
}

function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function toText(value: unknown, maxPoints: number): string {
  return typeof value === "string" ? truncateText(toPlainLine(value), maxPoints) : "";
}

type Texts = Pick<DigestPayload, "summary" | "key_points" | "evidence_snippets">;

/**
 * Shortens a digest below the length of its source. The model's quotes are dropped first, and then the key points,
 * starting with the last one.
 */
function shortenTexts(given: Texts, minSnippets: number, originalChars: number): Texts {
  let texts = given;
  while (countDigestChars(texts) >= originalChars) {
    const { key_points, evidence_snippets } = texts;
    if (evidence_snippets.length > minSnippets)
      texts = { ...texts, evidence_snippets: evidence_snippets.slice(0, -1) };
    else if (key_points.length > 1) texts = { ...texts, key_points: key_points.slice(0, -1) };
    else throw new ModelFailure("garbage", "The digest of the model is not shorter than its source");
  }
  return texts;
}
