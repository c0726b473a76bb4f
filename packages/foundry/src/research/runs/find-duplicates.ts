import type { ListedSource } from "./source-list.ts";
import type { SourceRecord } from "./source-record.ts";

/**
 * Which sources have the same text as an earlier one: the id of that one, by their own. Earlier is what stands first
 * in the list, not what was read first, so that it does not matter who was quicker.
 */
export function findDuplicates(
  sources: readonly Pick<ListedSource, "source_id">[],
  records: readonly SourceRecord[],
): ReadonlyMap<string, string> {
  const hashes = new Map(
    records.flatMap((record) =>
      record.outcome === "failed" ? [] : [[record.source_id, record.source_text_hash] as const],
    ),
  );
  const first = new Map<string, string>();
  const duplicates = new Map<string, string>();
  for (const { source_id } of sources) {
    const hash = hashes.get(source_id);
    if (hash === undefined) continue;
    const earlier = first.get(hash);
    if (earlier === undefined) first.set(hash, source_id);
    else duplicates.set(source_id, earlier);
  }
  return duplicates;
}
