import { isRecord } from "../json/json-value.ts";
import { codePointLength } from "../text/code-points.ts";
import { sha256Hex, shortHash } from "../text/sha256.ts";

/** The content type of a digested source. */
export const digestContentType = "digest/v1";

/** The version number that new digest payloads contain. */
export const digestVersion = "1.0";

/** An exact quote from the canonical text with its position. */
export interface EvidenceSnippet {
  readonly text: string;
  /** The position of the quote: `char:S-E` or `page:N:char:S-E`, in code points. */
  readonly locator: string;
  readonly relevance_score: number;
}

/** A compressed document: the content of a digested source, as JSON text. All lengths are in code points. */
export interface DigestPayload {
  readonly version: string;
  readonly content_type: string;
  readonly query_hash: string;
  readonly summary: string;
  readonly key_points: readonly string[];
  readonly evidence_snippets: readonly EvidenceSnippet[];
  readonly original_chars: number;
  readonly digest_chars: number;
  readonly compression_ratio: number;
  /** The hash of the canonical text, in the form `sha256:` and 64 hex digits. */
  readonly source_text_hash: string;
}

/**
 * Returns true for a source whose content is already a digest. Such content must be parsed instead of digested again.
 */
export function isDigest<Source>(
  source: Source,
): source is Source & { readonly content_type: typeof digestContentType } {
  try {
    return isRecord(source) && source["content_type"] === digestContentType;
  } catch {
    return false;
  }
}

/**
 * Returns the cache key of the digests for a query: the first eight hex digits of its SHA-256. The query is not
 * trimmed.
 */
export function queryHash(query: string): string {
  return shortHash(query);
}

/** Returns the hash of a canonical text: `sha256:` and 64 hex digits. */
export function sourceTextHash(text: string): string {
  return `sha256:${sha256Hex(text)}`;
}

/** Estimates the tokens of a digest for a token budget: one token per four characters, rounded down. */
export function estimateDigestTokens(payload: Pick<DigestPayload, "digest_chars">): number {
  return Math.floor(payload.digest_chars / 4);
}

/** The parts of a payload whose characters `digest_chars` counts. */
export interface DigestText extends Pick<DigestPayload, "summary" | "key_points"> {
  readonly evidence_snippets: readonly Pick<EvidenceSnippet, "text">[];
}

/** Counts the characters for `digest_chars`: the code points of summary, key points and snippet texts. */
export function countDigestChars({ summary, key_points, evidence_snippets }: DigestText): number {
  const texts = [summary, ...key_points, ...evidence_snippets.map(({ text }) => text)];
  return texts.reduce((sum, text) => sum + codePointLength(text), 0);
}
