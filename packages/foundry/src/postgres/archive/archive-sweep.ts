import type { ResolvedLimits } from "@foundry-mcp/toolkit/archive";
import type { Database, Queryable } from "../database.ts";
import { expiredAt } from "./archive-entry.ts";

const operation = "remove old content";
/**
 * The share of the limit that remains used after a sweep. If a sweep freed only the excess, every further put would
 * cause another sweep.
 */
const targetShare = 0.9;
/** The limits of one transaction, during which no other transaction can add bytes. */
const batch = { entries: 1_000, bytes: 64 * 2 ** 20 };

/** The interval between sweeps of an archive that has not reached its limit. */
const sweepEveryMs = 3_600_000;

/** The size of an archive, and the time of its last sweep. */
export interface Total {
  readonly bytes: number;
  readonly swept_at: number;
}

/** True if the archive exceeds its limit, or if entries may have expired. */
export function isSweepDue({ bytes, swept_at: sweptAt }: Total, { maxBytes }: ResolvedLimits): boolean {
  return bytes > maxBytes || Math.abs(Date.now() - sweptAt) >= sweepEveryMs;
}

/**
 * Removes expired entries in batches. While the archive exceeds its limit, also removes the oldest entry of the owner
 * with the most bytes. The entry `spared` was just put and is kept, even if it is the oldest because the clocks of
 * other servers differ.
 *
 * An entry always has its bytes, because a put locks the object row before it writes the entry and holds the lock
 * until it commits. A sweep skips locked rows, so a sweep never waits for a put. Unreferenced objects are locked
 * first, and are removed only if a second query of the entries still finds no reference. A later put waits for that
 * lock, finds that the object is gone, and stores the object again. A foreign key also enforces the reference.
 * Readers take no locks.
 */
export async function runSweep(
  database: Database,
  workspace: number,
  limits: ResolvedLimits,
  spared: string,
): Promise<void> {
  let isFull = false;
  for (let removed = 1; removed > 0; ) {
    const sweep = (queryable: Queryable) => sweepBatch(queryable, workspace, limits, spared, isFull);
    ({ removed, isFull } = await database.transaction(operation, sweep));
  }
}

async function sweepBatch(
  queryable: Queryable,
  workspace: number,
  limits: ResolvedLimits,
  spared: string,
  wasFull: boolean,
) {
  const now = Date.now();
  await queryable.query({
    text: "SELECT FROM foundry.content_total WHERE workspace = $1 FOR UPDATE",
    values: [workspace],
  });
  await removeUnreferenced(queryable, workspace);
  // A put updates the total in its last step and waits for this lock, so bytes that are not counted yet are not
  // visible here.
  const [held] = await queryable.query<{ bytes: number }>({
    text: "SELECT coalesce(sum(size), 0)::bigint AS bytes FROM foundry.content_object WHERE workspace = $1",
    values: [workspace],
  });
  const bytes = held?.bytes ?? 0;
  const isFull = wasFull || bytes > limits.maxBytes;
  const expired = expiredAt(now, limits);
  const chosen = selectEntries(await entriesToRemove(queryable, workspace, expired), {
    excess: isFull ? bytes - limits.maxBytes * targetShare : 0,
    expired,
    spared,
  });
  await queryable.query({
    text: `DELETE FROM foundry.content_entry WHERE workspace = $1 AND (owner, archive_id) IN
      (SELECT * FROM unnest($2::bytea[], $3::text[]))`,
    values: [workspace, chosen.map(({ owner }) => owner), chosen.map((entry) => entry.archive_id)],
  });
  const freed = await removeUnreferenced(queryable, workspace);
  await queryable.query({
    text: "UPDATE foundry.content_total SET bytes = $2, swept_at = $3 WHERE workspace = $1",
    values: [workspace, bytes - freed, now],
  });
  return { removed: chosen.length, isFull };
}

/** An entry that a sweep may remove. */
export interface OldEntry {
  readonly owner: Buffer;
  readonly archive_id: string;
  readonly digest: string;
  readonly created_at: number;
  /** The creation time that determines the position in the order of removal. */
  readonly ranked_at: number;
  readonly size: number;
  /** The number of entries that reference the same object. */
  readonly names: number;
}

/**
 * Finds the next entries to remove: first the expired entries, then repeatedly the oldest entry of the owner with the
 * most bytes. The query sorts entries by the number of bytes that their owner has in entries as new or newer, which
 * gives the same order.
 */
function entriesToRemove(
  queryable: Queryable,
  workspace: number,
  expired: number,
): Promise<readonly OldEntry[]> {
  return queryable.query<OldEntry>({
    text: `SELECT entry.owner, entry.archive_id, encode(entry.digest, 'hex') AS digest, entry.created_at,
        ranked.size, ranked.created_at AS ranked_at,
        (SELECT count(*) FROM foundry.content_entry other
          WHERE other.workspace = entry.workspace AND other.digest = entry.digest) AS names
      FROM foundry.content_entry entry JOIN (
        SELECT listed.owner, listed.archive_id, listed.created_at, object.size,
          sum(object.size) OVER (PARTITION BY listed.owner
            ORDER BY listed.created_at DESC, listed.archive_id DESC) AS held
        FROM foundry.content_entry listed JOIN foundry.content_object object USING (workspace, digest)
        WHERE listed.workspace = $1
      ) ranked USING (owner, archive_id)
      WHERE entry.workspace = $1
      ORDER BY ranked.created_at <= $3 DESC, ranked.held DESC, ranked.created_at, entry.archive_id
      LIMIT $2 FOR UPDATE OF entry SKIP LOCKED`,
    values: [workspace, batch.entries, expired],
  });
}

/** Selects, in the order of removal, the expired entries, and further entries until the excess is freed. */
export function selectEntries(
  entries: readonly OldEntry[],
  { excess, expired, spared }: { readonly excess: number; readonly expired: number; readonly spared: string },
): readonly OldEntry[] {
  const names = new Map<string, number>();
  const chosen: OldEntry[] = [];
  let freed = 0;
  for (const entry of entries) {
    const isWanted = entry.ranked_at > expired && freed >= excess;
    if (isWanted || freed >= batch.bytes) break;
    // An entry that was put again during the query has its new time but still its old position.
    if (entry.archive_id === spared || entry.created_at !== entry.ranked_at) continue;
    const left = (names.get(entry.digest) ?? entry.names) - 1;
    names.set(entry.digest, left);
    chosen.push(entry);
    if (left === 0) freed += entry.size;
  }
  return chosen;
}

/** Removes unreferenced objects and returns the bytes freed. */
async function removeUnreferenced(queryable: Queryable, workspace: number): Promise<number> {
  const isNamed = `EXISTS (SELECT FROM foundry.content_entry entry
    WHERE entry.workspace = object.workspace AND entry.digest = object.digest)`;
  const locked = await queryable.query<{ digest: Buffer }>({
    text: `SELECT object.digest FROM foundry.content_object object WHERE object.workspace = $1 AND NOT ${isNamed}
      FOR UPDATE SKIP LOCKED`,
    values: [workspace],
  });
  // References are checked again, because the entry of a put that has just committed was not visible in the first
  // check.
  const removed = await queryable.query<{ size: number }>({
    text: `DELETE FROM foundry.content_object object WHERE object.workspace = $1 AND object.digest = ANY ($2::bytea[])
      AND NOT ${isNamed} RETURNING object.size`,
    values: [workspace, locked.map(({ digest }) => digest)],
  });
  return removed.reduce((sum, { size }) => sum + size, 0);
}
