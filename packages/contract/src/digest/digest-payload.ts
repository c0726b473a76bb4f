/** The content type by which a digested source is told from a raw one. */
export const digestContentType = "digest/v1";

/** The version of the payload that is written. */
export const digestVersion = "1.0";

/** An exact quote from the canonical text, with the place where it stands. */
export interface EvidenceSnippet {
  readonly text: string;
  /** `char:S-E` or `page:N:char:S-E`, in code points. */
  readonly locator: string;
  readonly relevance_score: number;
}

/** A compressed document, as the JSON text in a digested source's content holds it; all lengths are in code points. */
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
  /** `sha256:` and the hash of the canonical text. */
  readonly source_text_hash: string;
}

/** True for a source whose content is a digest already: it is parsed, and never summarised again. */
export function isDigest<Source extends { readonly content_type?: unknown }>(
  source: Source,
): source is Source & { readonly content_type: typeof digestContentType } {
  return source.content_type === digestContentType;
}
