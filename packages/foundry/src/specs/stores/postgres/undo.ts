import { byPlace, type Piece, placeOf } from "./pieces/piece.ts";
import type { PieceChange } from "./pieces/place-cuts.ts";

/** A piece as it was before a change: its text is null where there was none. */
type UndoRow = readonly [member: number, entry: number, key: string, raw: string | null];

/** What leads back from a change, as it is stored. */
export function printUndo(before: readonly Piece[], { written, removed }: PieceChange): string {
  const known = new Map(before.map((piece) => [placeOf(piece), piece]));
  return printChange({
    written: [...written.flatMap((piece) => known.get(placeOf(piece)) ?? []), ...removed],
    removed: written.filter((piece) => !known.has(placeOf(piece))),
  });
}

/** A change that leads back, as it is stored. */
export function printChange({ written, removed }: PieceChange): string {
  const rows: readonly UndoRow[] = [
    ...written.map(({ member, entry, key, raw }): UndoRow => [member, entry, key, raw]),
    ...removed.map(({ member, entry, key }): UndoRow => [member, entry, key, null]),
  ];
  return JSON.stringify(rows);
}

/** Pieces as they were before changes, the newest of these first. */
export function undo(pieces: readonly Piece[], changes: readonly string[]): readonly Piece[] {
  const all = new Map(pieces.map((piece) => [placeOf(piece), piece]));
  for (const change of changes)
    for (const [member, entry, key, raw] of JSON.parse(change) as readonly UndoRow[])
      if (raw === null) all.delete(placeOf({ member, entry }));
      else all.set(placeOf({ member, entry }), { member, entry, key, raw });
  return [...all.values()].sort(byPlace);
}
