import { type DigestPayload, type EvidenceSnippet, isLocator } from "@foundry-mcp/contract/digest";
import { z } from "zod";
import type { QueryCounts } from "../digest/query-postings.ts";

/** What was found in a source that could be read. */
export interface ReadRecord {
  readonly source_id: string;
  /** Short where a digest would be no shorter than the text. */
  readonly outcome: "digested" | "short";
  readonly title?: string | undefined;
  /** `sha256:` and the hash of the canonical text. */
  readonly source_text_hash: string;
  readonly chars: number;
  /** False where the text has no word of the question. */
  readonly is_match: boolean;
  readonly is_kept: boolean;
  readonly digest: DigestPayload | null;
  /** How often it has the words of the question. */
  readonly query_counts: QueryCounts;
  /** Quotes of a text that is too short for a digest. */
  readonly quotes?: readonly EvidenceSnippet[] | undefined;
}

/** Why a source could not be read. */
export interface FailedRecord {
  readonly source_id: string;
  readonly outcome: "failed";
  readonly reason: string;
  readonly error: string;
  readonly remediation: string;
}

/** What came of a source: a line of `digests.jsonl`. */
export type SourceRecord = ReadRecord | FailedRecord;

/** The quotes of a source; none of one that failed or says nothing to the question. */
export function evidenceOf(record: SourceRecord): readonly EvidenceSnippet[] {
  if (record.outcome === "failed" || !record.is_match) return [];
  return record.digest?.evidence_snippets ?? record.quotes ?? [];
}

/**
 * Records by the ids of their sources. What was done once stays as it was; a record of what is no source of this
 * research is nobody's.
 */
export function firstOfEach(
  sources: readonly { readonly source_id: string }[],
  records: readonly SourceRecord[],
): Map<string, SourceRecord> {
  const ids = new Set(sources.map(({ source_id }) => source_id));
  const first = new Map<string, SourceRecord>();
  for (const record of records)
    if (ids.has(record.source_id) && !first.has(record.source_id)) first.set(record.source_id, record);
  return first;
}

const quote = z.looseObject({
  text: z.string(),
  locator: z.string().refine(isLocator),
  relevance_score: z.number().min(0).max(1),
});
const hash = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const schema = z.discriminatedUnion("outcome", [
  z.looseObject({
    source_id: z.string(),
    outcome: z.enum(["digested", "short"]),
    title: z.string().optional(),
    source_text_hash: hash,
    chars: z.int().min(0),
    is_match: z.boolean(),
    is_kept: z.boolean(),
    digest: z.looseObject({ evidence_snippets: z.array(quote) }).nullable(),
    query_counts: z.looseObject({ sentences: z.int().min(0), counts: z.array(z.int().min(0)) }),
    quotes: z.array(quote).optional(),
  }),
  z.looseObject({
    source_id: z.string(),
    outcome: z.literal("failed"),
    reason: z.string(),
    error: z.string(),
    remediation: z.string(),
  }),
]);

/** Reads a line of `digests.jsonl`; undefined for what is none. */
export function parseRecord(line: string): SourceRecord | undefined {
  try {
    const { data } = schema.safeParse(JSON.parse(line));
    return data as SourceRecord | undefined;
  } catch {
    return undefined;
  }
}
