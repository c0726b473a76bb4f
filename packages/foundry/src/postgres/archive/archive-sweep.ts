import type { ResolvedLimits } from "@foundry-mcp/toolkit/archive";
import type { Database, Queryable } from "../database.ts";
import { expiredAt } from "./archive-entry.ts";

const deed = "remove old content";
/** How much stays when the archive is full: were it all, every further put would sweep. */
const keptShare = 0.9;
/** What one transaction removes: meanwhile nobody else can add bytes. */
const most = { entries: 1_000, bytes: 64 * 2 ** 20 };

/** How long the archive of a workspace is left alone while it is not too full. */
const sweepEveryMs = 3_600_000;

/** What an archive holds, and when it was last swept. */
export interface Total {
  readonly bytes: number;
  readonly swept_at: number;
}

/** True where there is too much, or where something may have expired. */
export function isSweepDue({ bytes, swept_at: sweptAt }: Total, { maxBytes }: ResolvedLimits): boolean {
  return bytes > maxBytes || Math.abs(Date.now() - sweptAt) >= sweepEveryMs;
}

/**
 * Removes what has expired, and the oldest while there is too much: a little at a time, until nothing is left to do.
 * What was put a moment ago, under the id `spared`, stays, though clocks of other servers may make it the oldest.
 *
 * Why no entry is ever without its bytes, whoever puts meanwhile: a put locks the bytes before it writes an entry, and
 * keeps them locked until both are there. A sweep passes over what is locked, so that it waits for no put; bytes that
 * nobody names it locks first, and only then, with a fresh look at the entries, removes those that still nobody names.
 * A put that comes later waits for that lock, finds the bytes gone, and writes them. That an entry refers to its bytes
 * the database itself would insist on. Readers lock nothing, and wait for nobody.
 */
export async function runSweep(
  database: Database,
  workspace: number,
  limits: ResolvedLimits,
  spared: string,
): Promise<void> {
  let isFull = false;
  for (let removed = 1; removed > 0; ) {
    const sweep = (queryable: Queryable) => sweepSome(queryable, workspace, limits, spared, isFull);
    ({ removed, isFull } = await database.transaction(deed, sweep));
  }
}

async function sweepSome(
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
  await removeLoose(queryable, workspace);
  // Who adds bytes counts them last, and waits for this lock: what is not counted cannot be seen here.
  const [held] = await queryable.query<{ bytes: number }>({
    text: "SELECT coalesce(sum(size), 0)::bigint AS bytes FROM foundry.content_object WHERE workspace = $1",
    values: [workspace],
  });
  const bytes = held?.bytes ?? 0;
  const isFull = wasFull || bytes > limits.maxBytes;
  const chosen = chooseOldest(await oldestEntries(queryable, workspace), {
    excess: isFull ? bytes - limits.maxBytes * keptShare : 0,
    expired: expiredAt(now, limits),
    spared,
  });
  await queryable.query({
    text: `DELETE FROM foundry.content_entry WHERE workspace = $1 AND (owner, archive_id) IN
      (SELECT * FROM unnest($2::bytea[], $3::text[]))`,
    values: [workspace, chosen.map(({ owner }) => owner), chosen.map((entry) => entry.archive_id)],
  });
  const freed = await removeLoose(queryable, workspace);
  await queryable.query({
    text: "UPDATE foundry.content_total SET bytes = $2, swept_at = $3 WHERE workspace = $1",
    values: [workspace, bytes - freed, now],
  });
  return { removed: chosen.length, isFull };
}

/** An entry as a sweep sees it. */
export interface OldEntry {
  readonly owner: Buffer;
  readonly archive_id: string;
  readonly digest: string;
  readonly created_at: number;
  readonly size: number;
  /** How many entries there are of the same bytes. */
  readonly names: number;
}

function oldestEntries(queryable: Queryable, workspace: number): Promise<readonly OldEntry[]> {
  return queryable.query<OldEntry>({
    text: `SELECT entry.owner, entry.archive_id, encode(entry.digest, 'hex') AS digest, entry.created_at,
        (SELECT object.size FROM foundry.content_object object
          WHERE object.workspace = entry.workspace AND object.digest = entry.digest) AS size,
        (SELECT count(*) FROM foundry.content_entry other
          WHERE other.workspace = entry.workspace AND other.digest = entry.digest) AS names
      FROM foundry.content_entry entry WHERE entry.workspace = $1
      ORDER BY entry.created_at, entry.archive_id LIMIT $2 FOR UPDATE OF entry SKIP LOCKED`,
    values: [workspace, most.entries],
  });
}

/** Which entries go: those that have expired, and the oldest until the excess is gone with them. */
export function chooseOldest(
  entries: readonly OldEntry[],
  { excess, expired, spared }: { readonly excess: number; readonly expired: number; readonly spared: string },
): readonly OldEntry[] {
  const names = new Map<string, number>();
  const chosen: OldEntry[] = [];
  let freed = 0;
  // An entry that was put again while it was looked for comes with its new time, in its old place.
  for (const entry of entries.toSorted((one, other) => one.created_at - other.created_at)) {
    const isWanted = entry.created_at > expired && freed >= excess;
    if (isWanted || freed >= most.bytes) break;
    if (entry.archive_id === spared) continue;
    const left = (names.get(entry.digest) ?? entry.names) - 1;
    names.set(entry.digest, left);
    chosen.push(entry);
    if (left === 0) freed += entry.size;
  }
  return chosen;
}

/** Removes bytes that nobody names; gives how many they were. */
async function removeLoose(queryable: Queryable, workspace: number): Promise<number> {
  const isNamed = `EXISTS (SELECT FROM foundry.content_entry entry
    WHERE entry.workspace = object.workspace AND entry.digest = object.digest)`;
  const locked = await queryable.query<{ digest: Buffer }>({
    text: `SELECT object.digest FROM foundry.content_object object WHERE object.workspace = $1 AND NOT ${isNamed}
      FOR UPDATE SKIP LOCKED`,
    values: [workspace],
  });
  // Looked at anew, for the entry of a put that has just ended could not be seen before.
  const removed = await queryable.query<{ size: number }>({
    text: `DELETE FROM foundry.content_object object WHERE object.workspace = $1 AND object.digest = ANY ($2::bytea[])
      AND NOT ${isNamed} RETURNING object.size`,
    values: [workspace, locked.map(({ digest }) => digest)],
  });
  return removed.reduce((sum, { size }) => sum + size, 0);
}
