import type { Queryable } from "./database.ts";
import { byPlace, type Piece, placeOf } from "./pieces/piece.ts";
import type { Window } from "./pieces/window.ts";

/** Pieces of a spec, and the turn that they are of. */
export interface ReadPieces {
  readonly turn: number;
  /** In the order of the text. */
  readonly pieces: readonly Piece[];
}

const columns = "p.member, p.entry, p.key, p.raw";
/** The entries of the last member of a name: that is the one that counts. */
const entriesOf = (name: string) =>
  `SELECT ${columns} FROM foundry.piece p WHERE p.spec = $1 AND p.entry > 0 AND p.member = (
    SELECT max(m.member) FROM foundry.piece m WHERE m.spec = $1 AND m.key = '${name}' AND m.entry = 0)`;

const windowText = `SELECT s.turn, p.* FROM foundry.spec s, (
    SELECT ${columns} FROM foundry.piece p WHERE p.spec = $1 AND p.entry = 0
    UNION ALL (${entriesOf("hierarchy")} AND p.key = ANY($2))
    UNION ALL (${entriesOf("hierarchy")} ORDER BY p.entry LIMIT 1)
    UNION ALL (${entriesOf("hierarchy")} ORDER BY p.entry DESC LIMIT 2)
    UNION ALL (${entriesOf("journal")} ORDER BY p.entry LIMIT 1)
    UNION ALL (${entriesOf("journal")} ORDER BY p.entry DESC LIMIT 2)
  ) p WHERE s.spec = $1`;

const allText = `SELECT s.turn, ${columns} FROM foundry.spec s JOIN foundry.piece p ON p.spec = s.spec WHERE s.spec = $1`;

/** Reads the pieces that a window takes. */
export async function readPieces(queryable: Queryable, spec: number, window: Window): Promise<ReadPieces> {
  const rows = await queryable.query<Piece & { readonly turn: number }>(
    window === "all"
      ? { name: "foundry_pieces", text: allText, values: [spec] }
      : { name: "foundry_window", text: windowText, values: [spec, window.nodes] },
  );
  // A piece may be wanted for more than one reason.
  const pieces = new Map(
    rows.map(({ member, entry, key, raw }) => [
      placeOf({ member, entry }),
      { member, entry, key, raw },
    ]),
  );
  return { turn: rows[0]?.turn ?? -1, pieces: [...pieces.values()].sort(byPlace) };
}
