import type { Queryable } from "../../../postgres/database.ts";
import type { HistoryEntry } from "../spec-store.ts";
import { revisionNotKept, specNotFound } from "../store-failures.ts";
import type { ChunkChange } from "./chunks/assign-positions.ts";
import { byPosition, type Chunk, positionOf } from "./chunks/chunk.ts";
import { readChunks } from "./read-chunks.ts";

/** The revisions that are kept, the newest first. */
export async function listRevisions(
  queryable: Queryable,
  workspace: number,
  id: string,
): Promise<readonly HistoryEntry[]> {
  const rows = await queryable.query<{ readonly entry: string }>({
    text: `SELECT r.entry FROM foundry.spec s JOIN foundry.revision r ON r.spec = s.spec
      WHERE s.workspace = $1 AND s.id = $2 ORDER BY r.counter DESC`,
    values: [workspace, id],
  });
  if (rows.length === 0) throw specNotFound(id);
  return rows.map(({ entry }) => JSON.parse(entry) as HistoryEntry);
}

/** The chunks of a spec as they are, and as they were at a revision. */
export interface PastChunks {
  readonly turn: number;
  readonly present: readonly Chunk[];
  readonly past: readonly Chunk[];
}

/** Reads a spec at a revision that is kept. */
export async function readAtRevision(
  queryable: Queryable,
  spec: number,
  id: string,
  revision: string,
): Promise<PastChunks> {
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

/** A chunk as it was before a change: its text is null where there was none. */
type UndoRow = readonly [member: number, entry: number, key: string, raw: string | null];

/** What leads back from a change, as it is stored. */
export function printUndo(before: readonly Chunk[], { written, removed }: ChunkChange): string {
  const known = new Map(before.map((chunk) => [positionOf(chunk), chunk]));
  return printChange({
    written: [...written.flatMap((chunk) => known.get(positionOf(chunk)) ?? []), ...removed],
    removed: written.filter((chunk) => !known.has(positionOf(chunk))),
  });
}

/** A change that leads back, as it is stored. */
export function printChange({ written, removed }: ChunkChange): string {
  const rows: readonly UndoRow[] = [
    ...written.map(({ member, entry, key, raw }): UndoRow => [member, entry, key, raw]),
    ...removed.map(({ member, entry, key }): UndoRow => [member, entry, key, null]),
  ];
  return JSON.stringify(rows);
}

/** Pieces as they were before changes, the newest of these first. */
export function applyUndo(chunks: readonly Chunk[], changes: readonly string[]): readonly Chunk[] {
  const all = new Map(chunks.map((chunk) => [positionOf(chunk), chunk]));
  for (const change of changes)
    for (const [member, entry, key, raw] of JSON.parse(change) as readonly UndoRow[])
      if (raw === null) all.delete(positionOf({ member, entry }));
      else all.set(positionOf({ member, entry }), { member, entry, key, raw });
  return [...all.values()].sort(byPosition);
}
