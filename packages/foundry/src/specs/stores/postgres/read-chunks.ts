import type { Queryable } from "../../../postgres/database.ts";
import { byPosition, type Chunk, positionOf, stub } from "./chunks/chunk.ts";
import type { ChunkWindow } from "./chunks/window.ts";

/** Chunks of a spec, and the row version to which the chunks belong. */
export interface ReadChunks {
  readonly turn: number;
  /** The chunks in the order of the text. */
  readonly chunks: readonly Chunk[];
}

const columns = "p.member, p.entry, p.key, p.raw";
/**
 * Returns an expression that selects the last member with a name, because the last of several equal keys
 * counts.
 */
const memberOf = (name: string) =>
  `(SELECT max(m.member) FROM foundry.piece m WHERE m.spec = $1 AND m.key = '${name}' AND m.entry = 0)`;
const entriesOf = (name: string) =>
  `FROM foundry.piece p WHERE p.spec = $1 AND p.entry > 0 AND p.member = ${memberOf(name)}`;

/** The expression of the index piece_name. */
const name = "(n.spec::text || E'\\t' || n.key)";

// A node may have several chunks. The chunk of a long value is read only if the value is edited. OFFSET 0
// forces one index lookup per key. Without OFFSET 0, a generic plan that was created while the table was
// small would scan the whole table.
const windowText = `WITH wanted AS (
    SELECT unnest($2::text[]) COLLATE "C" AS node
    UNION (SELECT p.key ${entriesOf("hierarchy")} ORDER BY p.entry LIMIT 1)
    UNION (SELECT p.key ${entriesOf("hierarchy")} AND strpos(p.key, E'\\t') = 0 ORDER BY p.entry DESC LIMIT 2)
  )
  SELECT s.turn, ${memberOf("hierarchy")} AS hierarchy, p.* FROM foundry.spec s, (
    SELECT 'member' AS kind, ${columns} FROM foundry.piece p WHERE p.spec = $1 AND p.entry = 0
    UNION ALL SELECT 'node', ${columns} FROM wanted w CROSS JOIN LATERAL (
      SELECT * FROM foundry.piece n WHERE ${name} = $1::text || E'\\t' || w.node OFFSET 0) p
    UNION ALL SELECT 'node', p.member, p.entry, p.key,
        CASE WHEN p.key LIKE E'%\\t%\\t' OR p.key = ANY($3) OR w.node = ANY($4) THEN p.raw END
      FROM wanted w CROSS JOIN LATERAL (
      SELECT * FROM foundry.piece n WHERE ${name} >= $1::text || E'\\t' || w.node || E'\\t'
        AND ${name} < $1::text || E'\\t' || w.node || E'\\n' OFFSET 0) p
    UNION ALL (SELECT 'entry', ${columns} ${entriesOf("journal")} ORDER BY p.entry LIMIT 1)
    UNION ALL (SELECT 'entry', ${columns} ${entriesOf("journal")} ORDER BY p.entry DESC LIMIT 2)
  ) p WHERE s.spec = $1`;

const allText = `SELECT s.turn, ${columns} FROM foundry.spec s JOIN foundry.piece p ON p.spec = s.spec WHERE s.spec = $1`;

interface WindowRow extends Omit<Chunk, "raw"> {
  readonly turn: number;
  /**
   * The position of the member `hierarchy`. The position is needed because journal entries may have the same
   * keys as nodes.
   */
  readonly hierarchy?: number;
  readonly kind?: "member" | "node" | "entry";
  readonly raw: string | null;
}

/** Reads the chunks of a window. */
export async function readChunks(
  queryable: Queryable,
  spec: number,
  window: ChunkWindow,
): Promise<ReadChunks> {
  const rows = await queryable.query<WindowRow>(
    window === "all"
      ? { name: "foundry_pieces", text: allText, values: [spec] }
      : {
          name: "foundry_window",
          text: windowText,
          values: [spec, window.nodes, window.parts, window.whole],
        },
  );
  // Several parts of the query may select the same chunk.
  const chunks = new Map(
    rows
      .filter(({ kind, member, entry, hierarchy }) => kind !== "node" || (member === hierarchy && entry > 0))
      .map(({ member, entry, key, raw }) => [
        positionOf({ member, entry }),
        { member, entry, key, raw: raw ?? stub },
      ]),
  );
  return { turn: rows[0]?.turn ?? -1, chunks: [...chunks.values()].sort(byPosition) };
}
