import { codePointLength } from "../text/code-points.ts";
import type { DigestPayload, EvidenceSnippet } from "./digest-payload.ts";

/** The tokens a digest costs in a budget: a quarter of its characters, rounded down. */
export function estimateDigestTokens(payload: Pick<DigestPayload, "digest_chars">): number {
  return Math.floor(payload.digest_chars / 4);
}

/** The parts of a payload that a reader reads. */
export interface DigestText extends Pick<DigestPayload, "summary" | "key_points"> {
  readonly evidence_snippets: readonly Pick<EvidenceSnippet, "text">[];
}

/** What `digest_chars` counts: the code points of summary, key points and snippet texts. */
export function countDigestChars({ summary, key_points, evidence_snippets }: DigestText): number {
  const texts = [summary, ...key_points, ...evidence_snippets.map(({ text }) => text)];
  return texts.reduce((sum, text) => sum + codePointLength(text), 0);
}
