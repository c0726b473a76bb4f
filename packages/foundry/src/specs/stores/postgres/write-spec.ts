import type { Queryable } from "../../../postgres/database.ts";
import type { SpecFolder } from "../../model/spec-document.ts";
import type { HistoryEntry } from "../spec-store.ts";
import { responseTtlMs } from "../stored-response.ts";
import type { Delta } from "./cached-spec.ts";
import type { Chunk } from "./chunks/chunk.ts";
import { keptSteps } from "./read-spec.ts";
import type { ResponseRow } from "./responses.ts";

/** All data that one change, or several changes together, write. */
export interface SpecWrite {
  readonly spec: number;
  /**
   * The row version on which the change was planned. The write succeeds only if the row still has this
   * version.
   */
  readonly turn: number;
  readonly folder: SpecFolder;
  readonly deleted: boolean;
  readonly counter: number;
  readonly hash: string;
  readonly bytes: number;
  readonly wide: number;
  readonly fence: number;
  /** The highest node numbers as JSON; undefined if they are unchanged. */
  readonly marks: string | undefined;
  readonly summary: string | undefined;
  readonly written: readonly Chunk[];
  readonly removed: readonly Pick<Chunk, "member" | "entry">[];
  /**
   * The changes for the caches of other servers; undefined if other servers must read the whole spec again.
   */
  readonly delta: Delta | undefined;
  /** The leases as JSON, by the stored keys of their tasks; null for a lease that ends. */
  readonly leases: Readonly<Record<string, string | null>>;
  /** The new revisions in order; empty if neither the text nor the folder changes. */
  readonly revisions: readonly {
    readonly counter: number;
    readonly entry: HistoryEntry;
    readonly undo: string;
  }[];
  /** The number of revisions to keep. */
  readonly keepRevisions: number;
  readonly responses: readonly ResponseRow[];
}

// A single statement requires only one round trip. The first part checks the row version. The other parts of the
// statement write only if the first part has found the row of the spec.
const text = `WITH won AS (
  UPDATE foundry.spec SET turn = turn + 1, folder = $3, counter = $4, hash = $5, bytes = $6, wide = $7, fence = $8,
    marks = coalesce($9, marks), summary = coalesce($10, summary), deleted = $29
  WHERE spec = $1 AND turn = $2 RETURNING spec, workspace, id, turn
), written AS (
  INSERT INTO foundry.piece (spec, member, entry, key, raw)
  SELECT won.spec, p.* FROM won, unnest($11::float8[], $12::float8[], $13::text[], $14::text[]) p
  ON CONFLICT (spec, member, entry) DO UPDATE SET key = excluded.key, raw = excluded.raw
), removed AS (
  DELETE FROM foundry.piece p USING won, unnest($15::float8[], $16::float8[]) AS g(member, entry)
  WHERE p.spec = won.spec AND p.member = g.member AND p.entry = g.entry
), step AS (
  INSERT INTO foundry.step (spec, turn, nonce, delta) SELECT spec, turn, $17, $18 FROM won
), old_steps AS (
  DELETE FROM foundry.step s USING won WHERE s.spec = won.spec AND s.turn <= won.turn - ${keptSteps}
), leased AS (
  INSERT INTO foundry.lease (spec, task, lease) SELECT won.spec, l.* FROM won, unnest($19::text[], $20::text[]) l
  ON CONFLICT (spec, task) DO UPDATE SET lease = excluded.lease
), freed AS (
  DELETE FROM foundry.lease l USING won WHERE l.spec = won.spec AND l.task = ANY($21::text[])
), revised AS (
  INSERT INTO foundry.revision (spec, counter, revision, entry, undo)
  SELECT won.spec, r.* FROM won, unnest($22::bigint[], $23::text[], $24::text[], $25::text[]) r
), old_revisions AS (
  DELETE FROM foundry.revision r USING won WHERE r.spec = won.spec AND r.counter <= $26
), answered AS (
  INSERT INTO foundry.answer (workspace, scope, name, at, answer)
  SELECT won.workspace, won.id, a.* FROM won, unnest($27::text[], $28::bigint[], $30::text[]) a
  ON CONFLICT (workspace, scope, name) DO UPDATE SET at = excluded.at, answer = excluded.answer
), old_answers AS (
  DELETE FROM foundry.answer a USING won
  WHERE cardinality($27::text[]) > 0 AND a.workspace = won.workspace AND a.scope = won.id AND a.at < $31
)
SELECT turn FROM won`;

/**
 * Writes a change. Returns false if the row version has changed. The statement may be retried after a lost
 * connection, because the nonce shows whether an earlier write was committed.
 */
export async function writeSpec(queryable: Queryable, turn: SpecWrite, nonce: string): Promise<boolean> {
  const { written, removed, leases, revisions, responses, delta } = turn;
  const entries = Object.entries(leases);
  const granted = entries.filter((each): each is [string, string] => each[1] !== null);
  const freed = entries.filter(([, lease]) => lease === null).map(([task]) => task);
  const won = await queryable.query({
    name: "foundry_write",
    text,
    values: [
      ...[turn.spec, turn.turn, turn.folder, turn.counter, turn.hash, turn.bytes, turn.wide, turn.fence],
      ...[turn.marks ?? null, turn.summary ?? null],
      ...[written.map((each) => each.member), written.map((each) => each.entry)],
      ...[written.map((each) => each.key), written.map((each) => each.raw)],
      ...[removed.map((each) => each.member), removed.map((each) => each.entry)],
      ...[nonce, delta === undefined ? null : JSON.stringify(delta)],
      ...[granted.map(([task]) => task), granted.map(([, lease]) => lease), freed],
      ...[revisions.map(({ counter }) => counter), revisions.map(({ entry }) => entry.revision)],
      ...[revisions.map(({ entry }) => JSON.stringify(entry)), revisions.map(({ undo }) => undo)],
      revisions.length === 0 ? -1 : turn.counter - turn.keepRevisions,
      ...[responses.map(({ name }) => name), responses.map(({ at }) => at), turn.deleted],
      responses.map(({ text }) => text),
      Math.max(0, ...responses.map(({ at }) => at)) - responseTtlMs,
    ],
  });
  return won.length > 0 || isWritten(queryable, turn.spec, turn.turn, nonce);
}

/** True if a write with this nonce was committed after a row version. */
export async function isWritten(
  queryable: Queryable,
  spec: number,
  turn: number,
  nonce: string,
): Promise<boolean> {
  const found = await queryable.query({
    name: "foundry_nonce",
    text: "SELECT 1 FROM foundry.step WHERE spec = $1 AND turn > $2 AND nonce = $3",
    values: [spec, turn, nonce],
  });
  return found.length > 0;
}
