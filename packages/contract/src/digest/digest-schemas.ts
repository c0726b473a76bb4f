import { z } from "zod";
import { named } from "../json/validator.ts";
import { digestContentType, digestVersion } from "./digest-payload.ts";
import { locatorPattern } from "./locator.ts";

/** The maximum number of key points, and of evidence snippets, of a payload. */
export const maxDigestItems = 10;

const count = z.int().min(0);
const ratio = z.number().min(0).max(1);

/** The schema of `evidence_snippets[]`. */
export const evidenceSnippetSchema = named(
  "EvidenceSnippet",
  z.object({
    text: z.string().max(500),
    locator: z.string().regex(locatorPattern),
    relevance_score: ratio,
  }),
);

/** The schema of a digest payload. Unknown keys are accepted and dropped. */
export const digestPayloadSchema = named(
  "DigestPayload",
  z.object({
    version: z.string().default(digestVersion),
    content_type: z.string().default(digestContentType),
    query_hash: z.string().regex(/^[a-f0-9]{8}$/),
    summary: z.string().max(2000),
    key_points: z.array(z.string().max(500)).max(maxDigestItems),
    evidence_snippets: z.array(evidenceSnippetSchema).max(maxDigestItems),
    original_chars: count,
    digest_chars: count,
    compression_ratio: ratio,
    source_text_hash: z.string().regex(/^sha256:[a-f0-9]{64}$/),
  }),
);
