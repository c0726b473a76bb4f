import { type DigestPayload, type EvidenceSnippet, isLocator } from "@foundry-mcp/contract/digest";
import { parseJsonText } from "@foundry-mcp/contract/input";
import { z } from "zod";
import type { QuoteSection } from "../digest/digest-text.ts";
import type { QueryCounts } from "../digest/query-postings.ts";
import type { SourceFailure } from "./source-failure.ts";
import type { ListedSource } from "./source-list.ts";

/** The record of a source that was read. */
export interface ReadRecord {
  readonly source_id: string;
  /** The outcome. It is `short` if no digest is shorter than the text. */
  readonly outcome: "digested" | "short";
  readonly title?: string | undefined;
  /** `sha256:` and the hash of the canonical text. */
  readonly source_text_hash: string;
  readonly chars: number;
  /** False if no term of the question occurs in the text. */
  readonly is_match: boolean;
  readonly is_kept: boolean;
  readonly digest: DigestPayload | null;
  readonly query_counts: QueryCounts;
  /** The section of each quote. Undefined in the logs of older versions. */
  readonly sections?: readonly QuoteSection[] | undefined;
  /** The quotes of a text that is too short for a digest. */
  readonly quotes?: readonly EvidenceSnippet[] | undefined;
}

/** The record of a source that could not be read. */
export interface FailedRecord extends SourceFailure {
  readonly source_id: string;
  readonly outcome: "failed";
}

/** The result of a source, stored as a line of `digests.jsonl`. */
export type SourceRecord = ReadRecord | FailedRecord;

/** Returns the quotes of a source, or an empty list if the source failed or does not match the question. */
export function evidenceOf(record: SourceRecord): readonly EvidenceSnippet[] {
  if (record.outcome === "failed" || !record.is_match) return [];
  return record.digest?.evidence_snippets ?? record.quotes ?? [];
}

/** Indexes the records of the listed sources by id. If a source has several records, the first record counts. */
export function recordsBySource(
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
    query_counts: z.looseObject({
      sentences: z.int().min(0),
      counts: z.array(z.int().min(0)),
      named: z.array(z.int().min(0)).optional(),
      headings: z.array(z.int().min(0)).optional(),
    }),
    sections: z.array(z.looseObject({ path: z.array(z.string()) })).optional(),
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

/** Parses a line of `digests.jsonl`. Returns undefined for an invalid line. */
export function parseRecord(line: string): SourceRecord | undefined {
  try {
    const { data } = schema.safeParse(parseJsonText(line));
    return data as SourceRecord | undefined;
  } catch {
    return undefined;
  }
}

/**
 * Finds sources that have the same text as an earlier source, and maps their ids to the id of that source. The order
 * of the list decides, and not the order of the records, so that the result does not depend on timing.
 */
export function findDuplicates(
  sources: readonly Pick<ListedSource, "source_id">[],
  records: ReadonlyMap<string, SourceRecord>,
): ReadonlyMap<string, string> {
  const first = new Map<string, string>();
  const duplicates = new Map<string, string>();
  for (const { source_id } of sources) {
    const record = records.get(source_id);
    if (record === undefined || record.outcome === "failed") continue;
    const earlier = first.get(record.source_text_hash);
    if (earlier === undefined) first.set(record.source_text_hash, source_id);
    else duplicates.set(source_id, earlier);
  }
  return duplicates;
}
