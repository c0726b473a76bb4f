import type { Queryable } from "../../../postgres/database.ts";
import { specNotFound } from "../store-failures.ts";
import { applyDeltas, type CachedSpec, type Delta, type SpecRow, toCachedSpec } from "./cached-spec.ts";

/** So many turns are kept: who knows an older one reads everything again. */
export const keptSteps = 256;

interface StepRow extends SpecRow {
  readonly step: number | null;
  readonly delta: string | null;
}

/** The text of the spec `s`: chunks come in their order out of the index, and need no sorting. */
export const textOf = `(SELECT string_agg(p.raw, '') FROM (
  SELECT o.raw FROM foundry.piece o WHERE o.spec = s.spec ORDER BY o.member, o.entry) p)`;

const row = "s.spec, s.folder, s.turn, s.counter, s.hash, s.bytes, s.wide, s.fence";

/**
 * Reads a spec as it is now. Of one that is known from an earlier turn only what happened since is read; that it is
 * still the same takes one look at its row.
 */
export async function readSpec(
  queryable: Queryable,
  workspace: number,
  id: string,
  known?: CachedSpec,
): Promise<CachedSpec> {
  if (known === undefined) return readWhole(queryable, workspace, id);
  const rows = await queryable.query<StepRow>({
    name: "foundry_follow",
    text: `SELECT ${row}, CASE WHEN s.turn > $3 THEN s.marks END AS marks, d.turn AS step, d.delta
      FROM foundry.spec s LEFT JOIN foundry.step d ON d.spec = s.spec AND d.turn > $3
      WHERE s.workspace = $1 AND s.id = $2 ORDER BY d.turn`,
    values: [workspace, id, known.turn],
  });
  const [first] = rows;
  if (first === undefined) throw specNotFound(id);
  // A database that was set back to an earlier day may be at the same turn with another spec.
  if (first.spec === known.spec && first.turn === known.turn && first.hash === known.hash) return known;
  const isUnbroken =
    first.spec === known.spec &&
    rows.length === first.turn - known.turn &&
    rows.every(({ step, delta }, at) => step === known.turn + at + 1 && delta !== null);
  if (!isUnbroken) return readWhole(queryable, workspace, id);
  return applyDeltas(
    known,
    first,
    rows.map(({ delta }) => JSON.parse(delta as string) as Delta),
  );
}

async function readWhole(queryable: Queryable, workspace: number, id: string): Promise<CachedSpec> {
  const [found] = await queryable.query<
    SpecRow & { readonly text: string; readonly leases: string[] | null }
  >({
    name: "foundry_read",
    // One statement sees one moment.
    text: `SELECT ${row}, s.marks,
        ${textOf} AS text,
        (SELECT array_agg(l.lease) FROM foundry.lease l WHERE l.spec = s.spec) AS leases
      FROM foundry.spec s WHERE s.workspace = $1 AND s.id = $2`,
    values: [workspace, id],
  });
  if (found === undefined) throw specNotFound(id);
  return toCachedSpec(id, found, found.text, found.leases ?? []);
}

/** Locks the row of a spec until the end of the transaction: others who change it wait. */
export async function lockSpec(queryable: Queryable, workspace: number, id: string): Promise<void> {
  await queryable.query({
    name: "foundry_lock",
    text: "SELECT 1 FROM foundry.spec WHERE workspace = $1 AND id = $2 FOR UPDATE",
    values: [workspace, id],
  });
}
