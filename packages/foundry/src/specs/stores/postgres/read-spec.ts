import type { Queryable } from "../../../postgres/database.ts";
import { specNotFound } from "../store-failures.ts";
import { applyDeltas, type CachedSpec, type Delta, type SpecRow, toCachedSpec } from "./cached-spec.ts";

/** The number of deltas to keep. A server with an older version reads the whole spec again. */
export const keptSteps = 256;

interface StepRow extends SpecRow {
  readonly step: number | null;
  readonly delta: string | null;
}

/** The expression for the text of the spec `s`. The index returns the chunks in their order. */
export const textOf = `(SELECT string_agg(p.raw, '') FROM (
  SELECT o.raw FROM foundry.piece o WHERE o.spec = s.spec ORDER BY o.member, o.entry) p)`;

const row = "s.spec, s.folder, s.turn, s.counter, s.hash, s.bytes, s.wide, s.fence, s.deleted";

/**
 * Reads the current version of a spec, even if the spec is in the trash. For a cached spec, only the deltas
 * since its version are read. If the cached version is still current, only the row of the spec is read.
 */
export async function readSpec(
  queryable: Queryable,
  workspace: number,
  id: string,
  cached?: CachedSpec,
): Promise<CachedSpec> {
  if (cached === undefined) return readWhole(queryable, workspace, id);
  const rows = await queryable.query<StepRow>({
    name: "foundry_follow",
    text: `SELECT ${row}, CASE WHEN s.turn > $3 THEN s.marks END AS marks, d.turn AS step, d.delta
      FROM foundry.spec s LEFT JOIN foundry.step d ON d.spec = s.spec AND d.turn > $3
      WHERE s.workspace = $1 AND s.id = $2 ORDER BY d.turn`,
    values: [workspace, id, cached.turn],
  });
  const [first] = rows;
  if (first === undefined) throw specNotFound(id);
  // After a restore from a backup, a row with the same version may have different content. Therefore, the
  // hash is also compared.
  if (first.spec === cached.spec && first.turn === cached.turn && first.hash === cached.hash) return cached;
  const isUnbroken =
    first.spec === cached.spec &&
    rows.length === first.turn - cached.turn &&
    rows.every(({ step, delta }, at) => step === cached.turn + at + 1 && delta !== null);
  if (!isUnbroken) return readWhole(queryable, workspace, id);
  return applyDeltas(
    cached,
    first,
    rows.map(({ delta }) => JSON.parse(delta as string) as Delta),
  );
}

async function readWhole(queryable: Queryable, workspace: number, id: string): Promise<CachedSpec> {
  const [found] = await queryable.query<
    SpecRow & { readonly text: string; readonly leases: string[] | null }
  >({
    name: "foundry_read",
    // A single statement reads from a single snapshot.
    text: `SELECT ${row}, s.marks,
        ${textOf} AS text,
        (SELECT array_agg(l.lease) FROM foundry.lease l WHERE l.spec = s.spec) AS leases
      FROM foundry.spec s WHERE s.workspace = $1 AND s.id = $2`,
    values: [workspace, id],
  });
  if (found === undefined) throw specNotFound(id);
  return toCachedSpec(id, found, found.text, found.leases ?? []);
}

/** Locks the row of a spec until the end of the transaction. */
export async function lockSpec(queryable: Queryable, workspace: number, id: string): Promise<void> {
  await queryable.query({
    name: "foundry_lock",
    text: "SELECT 1 FROM foundry.spec WHERE workspace = $1 AND id = $2 FOR UPDATE",
    values: [workspace, id],
  });
}
