import type { ResolvedLimits, StoredEntry } from "@foundry-mcp/toolkit/archive";
import type { Queryable } from "../database.ts";

/** A database row of an archive entry. */
export interface EntryRow {
  readonly archive_id: string;
  readonly digest: string;
  readonly size: number;
  readonly created_at: number;
  readonly about: string;
  readonly content_ids: string;
}

/** Selects entries with their sizes. Further conditions on `entry` are appended. */
export const selectEntries = `
  SELECT entry.archive_id, encode(entry.digest, 'hex') AS digest, entry.created_at, entry.about, entry.content_ids,
    (SELECT object.size FROM foundry.content_object object
      WHERE object.workspace = entry.workspace AND object.digest = entry.digest) AS size
  FROM foundry.content_entry entry
  WHERE entry.workspace = $1 AND entry.owner = $2 AND entry.created_at > $3`;

/** Returns the creation time up to which entries have expired. */
export function expiredAt(now: number, { maxAgeMs }: ResolvedLimits): number {
  return Math.max(now - Math.floor(maxAgeMs), Number.MIN_SAFE_INTEGER);
}

/** Returns the entry in a row. */
export function fromRow(row: EntryRow): StoredEntry {
  const { tool, action, requestId } = JSON.parse(row.about) as Pick<
    StoredEntry,
    "tool" | "action" | "requestId"
  >;
  return {
    archiveId: row.archive_id,
    hash: `sha256:${row.digest}`,
    size: row.size,
    tool,
    ...(action === undefined ? {} : { action }),
    requestId,
    contentIds: JSON.parse(row.content_ids) as readonly string[],
    createdAt: new Date(row.created_at).toISOString(),
  };
}

/** Inserts or replaces an entry. Names from callers are stored as JSON, because text columns reject NUL. */
export async function writeEntry(
  queryable: Queryable,
  workspace: number,
  owner: Buffer,
  digest: Buffer,
  { archiveId, tool, action, requestId, contentIds, createdAt }: StoredEntry,
): Promise<void> {
  await queryable.query({
    text: `INSERT INTO foundry.content_entry
        (workspace, owner, archive_id, digest, created_at, about, content_ids) VALUES ($1, $2, $3, $4, $5, $6, $7)
      ON CONFLICT (workspace, owner, archive_id) DO UPDATE
        SET created_at = excluded.created_at, about = excluded.about, content_ids = excluded.content_ids`,
    values: [
      workspace,
      owner,
      archiveId,
      digest,
      Date.parse(createdAt),
      JSON.stringify({ tool, action, requestId }),
      JSON.stringify(contentIds),
    ],
  });
}
