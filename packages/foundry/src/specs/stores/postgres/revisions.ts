import type { Queryable } from "../../../postgres/database.ts";
import type { HistoryEntry } from "../spec-store.ts";
import { revisionNotKept, specNotFound } from "../store-failures.ts";
import type { Piece } from "./pieces/piece.ts";
import { readPieces } from "./read-pieces.ts";
import { undo } from "./undo.ts";

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

/** The pieces of a spec as they are, and as they were at a revision. */
export interface PastPieces {
  readonly turn: number;
  readonly present: readonly Piece[];
  readonly past: readonly Piece[];
}

/** Reads a spec at a revision that is kept. */
export async function readPast(
  queryable: Queryable,
  spec: number,
  id: string,
  revision: string,
): Promise<PastPieces> {
  const [target] = await queryable.query<{ readonly counter: number }>({
    text: "SELECT counter FROM foundry.revision WHERE spec = $1 AND revision = $2",
    values: [spec, revision.slice(0, 100).replaceAll("\0", "")],
  });
  if (target === undefined) throw revisionNotKept(id, revision);
  const { turn, pieces } = await readPieces(queryable, spec, "all");
  const later = await queryable.query<{ readonly undo: string }>({
    text: "SELECT undo FROM foundry.revision WHERE spec = $1 AND counter > $2 ORDER BY counter DESC",
    values: [spec, target.counter],
  });
  const changes = later.map((row) => row.undo);
  return { turn, present: pieces, past: undo(pieces, changes) };
}
