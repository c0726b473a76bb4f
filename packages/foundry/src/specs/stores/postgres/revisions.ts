import type { Queryable } from "../../../postgres/database.ts";
import type { HistoryEntry } from "../spec-store.ts";
import { revisionNotKept, specNotFound, specTrashed } from "../store-failures.ts";
import type { ChunkChange } from "./chunks/assign-positions.ts";
import { byPosition, type Chunk, positionOf } from "./chunks/chunk.ts";
import { readChunks } from "./read-chunks.ts";

/** Lists the kept revisions; the newest revision comes first. */
export async function listRevisions(
  queryable: Queryable,
  workspace: number,
  id: string,
): Promise<readonly HistoryEntry[]> {
  const rows = await queryable.query<{ readonly entry: string; readonly deleted: boolean }>({
    text: `SELECT r.entry, s.deleted FROM foundry.spec s JOIN foundry.revision r ON r.spec = s.spec
      WHERE s.workspace = $1 AND s.id = $2 ORDER BY r.counter DESC`,
    values: [workspace, id],
  });
  const [newest] = rows;
  if (newest === undefined) throw specNotFound(id);
  if (newest.deleted) throw specTrashed(id);
  return rows.map(({ entry }) => JSON.parse(entry) as HistoryEntry);
}

/** The current chunks of a spec, and the chunks at a revision. */
export interface RevisionChunks {
  readonly turn: number;
  readonly present: readonly Chunk[];
  readonly past: readonly Chunk[];
}

/** Reads the chunks of a kept revision by undoing the later changes. */
export async function readAtRevision(
  queryable: Queryable,
  spec: number,
  id: string,
  revision: string,
): Promise<RevisionChunks> {
  const [target] = await queryable.query<{ readonly counter: number }>({
    text: "SELECT counter FROM foundry.revision WHERE spec = $1 AND revision = $2",
    values: [spec, revision.slice(0, 100).replaceAll("\0", "")],
  });
  if (target === undefined) throw revisionNotKept(id, revision);
  const { turn, chunks } = await readChunks(queryable, spec, "all");
  const later = await queryable.query<{ readonly undo: string }>({
    text: "SELECT undo FROM foundry.revision WHERE spec = $1 AND counter > $2 ORDER BY counter DESC",
    values: [spec, target.counter],
  });
  const changes = later.map((row) => row.undo);
  return { turn, present: chunks, past: applyUndo(chunks, changes) };
}

/** A chunk before a change. The text is null if the chunk did not exist. */
type UndoRow = readonly [member: number, entry: number, key: string, raw: string | null];

/** Serializes the undo record of a change. */
export function printUndo(before: readonly Chunk[], { written, removed }: ChunkChange): string {
  const known = new Map(before.map((chunk) => [positionOf(chunk), chunk]));
  return printChange({
    written: [...written.flatMap((chunk) => known.get(positionOf(chunk)) ?? []), ...removed],
    removed: written.filter((chunk) => !known.has(positionOf(chunk))),
  });
}

/** Serializes a change as an undo record. */
export function printChange({ written, removed }: ChunkChange): string {
  const rows: readonly UndoRow[] = [
    ...written.map(({ member, entry, key, raw }): UndoRow => [member, entry, key, raw]),
    ...removed.map(({ member, entry, key }): UndoRow => [member, entry, key, null]),
  ];
  return JSON.stringify(rows);
}

/** Applies undo records to chunks. The newest record comes first. */
export function applyUndo(chunks: readonly Chunk[], changes: readonly string[]): readonly Chunk[] {
  const all = new Map(chunks.map((chunk) => [positionOf(chunk), chunk]));
  for (const change of changes)
    for (const [member, entry, key, raw] of JSON.parse(change) as readonly UndoRow[])
      if (raw === null) all.delete(positionOf({ member, entry }));
      else all.set(positionOf({ member, entry }), { member, entry, key, raw });
  return [...all.values()].sort(byPosition);
}
