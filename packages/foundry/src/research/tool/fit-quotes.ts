import { estimateTokens } from "@foundry-mcp/contract/budget";
import { countDigestChars, type DigestPayload, serializePayload } from "@foundry-mcp/contract/digest";
import type { DigestedSource } from "./digest-source.ts";

/**
 * The estimated number of tokens of an answer besides its data: the envelope, its metadata and a warning about dropped
 * quotes.
 */
const envelopeTokens = 150;

/** An answer that fits the token budget, and the number of quotes that were dropped to make it fit. */
export interface FittedDigest {
  readonly digested: DigestedSource;
  readonly dropped: number;
}

/**
 * Drops quotes, starting with the last, until an answer fits the token budget. The first quote is always kept, and no
 * quote is shortened, so that all remaining quotes can be verified. A budget of 0 means no limit.
 */
export function fitQuotes(answer: DigestedSource, maxTokens: number): FittedDigest {
  let digested = answer;
  let dropped = 0;
  const room = maxTokens - envelopeTokens;
  while (maxTokens > 0 && digested.digest !== null) {
    const { evidence_snippets, key_points } = digested.digest;
    if (evidence_snippets.length <= 1 && key_points.length === 0) break;
    if (estimateTokens(JSON.stringify(digested), room) <= room) break;
    digested = withoutLastPart(digested, digested.digest);
    if (evidence_snippets.length > 1) dropped++;
  }
  return { digested, dropped };
}

/** Drops the last quote, or the key points if only one quote is left. */
function withoutLastPart(answer: DigestedSource, digest: DigestPayload): DigestedSource {
  const isLast = digest.evidence_snippets.length <= 1;
  const evidence_snippets = isLast ? digest.evidence_snippets : digest.evidence_snippets.slice(0, -1);
  const key_points = isLast ? [] : digest.key_points;
  const digest_chars = countDigestChars({ ...digest, key_points, evidence_snippets });
  const compression_ratio = digest_chars / digest.original_chars;
  const shorter = { ...digest, key_points, evidence_snippets, digest_chars, compression_ratio };
  const { source } = answer;
  return {
    ...answer,
    digest: shorter,
    source: source.content === undefined ? source : { ...source, content: serializePayload(shorter) },
    ...(answer.sections === undefined
      ? {}
      : { sections: answer.sections.slice(0, evidence_snippets.length) }),
  };
}
