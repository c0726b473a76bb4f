import type { Queryable } from "../../../postgres/database.ts";
import type { SpecDocument, SpecFolder } from "../../model/spec-document.ts";
import { hashOf, parseSpecFile } from "../spec-file.ts";
import { type HistoryEntry, type IdempotencyKey, type SpecSnapshot, toSummary } from "../spec-store.ts";
import { toResponseName } from "../stored-response.ts";
import { pathOf } from "./cached-spec.ts";
import { type Chunk, isNonAscii } from "./chunks/chunk.ts";
import { splitText, toChunks } from "./chunks/split-text.ts";
import { findResponse, type ResponseRow } from "./responses.ts";

/** A spec that is to be added. */
export interface NewSpec {
  readonly workspace: number;
  readonly snapshot: SpecSnapshot;
  readonly text: Buffer;
  readonly entry: HistoryEntry;
  readonly counter: number;
  readonly hash: string;
  readonly fence: number;
  readonly marks: Readonly<Record<string, number>>;
  /** The scope is that of calls that add specs. */
  readonly response?: ResponseRow | undefined;
  readonly nonce: string;
}

/** The scope of answers of calls that add specs; no spec can be called so. */
const newSpecs = "+new";

const text = `WITH won AS (
  INSERT INTO foundry.spec (workspace, id, folder, turn, counter, hash, bytes, wide, fence, marks, summary)
  VALUES ($1, $2, $3, 1, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (workspace, id) DO NOTHING
  RETURNING spec, workspace, id
), step AS (
  INSERT INTO foundry.step (spec, turn, nonce) SELECT spec, 1, $11 FROM won
), revised AS (
  INSERT INTO foundry.revision (spec, counter, revision, entry, undo) SELECT spec, $4, $12, $13, '[]' FROM won
), answered AS (
  INSERT INTO foundry.answer (workspace, scope, name, at, answer)
  SELECT won.workspace, '${newSpecs}', $14, $15, $16 FROM won WHERE $14::text IS NOT NULL
  ON CONFLICT (workspace, scope, name) DO UPDATE SET at = excluded.at, answer = excluded.answer
)
SELECT spec FROM won`;

/** The id of the spec that a call with this key has added, within a transaction; others with the key wait for its end. */
export async function findCreation(
  queryable: Queryable,
  workspace: number,
  key: IdempotencyKey,
  now: string,
): Promise<string | undefined> {
  await queryable.query({
    text: "SELECT pg_advisory_xact_lock($1, hashtext($2))",
    values: [workspace, toResponseName(key)],
  });
  return (await findResponse<string>(queryable, workspace, newSpecs, key, now))?.result;
}

/** A new spec of a document, as its text will be. */
export function toNewSpec(
  id: string,
  document: SpecDocument,
  folder: SpecFolder,
  rest: Pick<NewSpec, "workspace" | "nonce" | "response"> & Pick<HistoryEntry, "at" | "author" | "action">,
): NewSpec {
  const { at, author, action, ...others } = rest;
  const bytes = Buffer.from(JSON.stringify(document, null, 2));
  const path = pathOf(id, folder);
  const { model } = parseSpecFile(bytes, path);
  const hash = hashOf([bytes]);
  const revision = `1-${hash}`;
  return {
    ...others,
    ...{ text: bytes, counter: 1, hash, fence: 0, marks: {} },
    snapshot: { id, folder, revision, model, bytes: bytes.length, path },
    entry: { revision, at, author, action, about: [] },
  };
}

/** So many chunks are written by one statement, which has to end within its time. */
const atOnce = 5_000;

/** Adds a spec within a transaction, and gives its number; undefined where its id is taken. */
export async function insertSpec(queryable: Queryable, spec: NewSpec): Promise<number | undefined> {
  const { snapshot, response, entry } = spec;
  const { title, progress, updated } = toSummary(snapshot);
  const chunks = toChunks(splitText(spec.text));
  const [won] = await queryable.query<{ readonly spec: number }>({
    text,
    values: [
      ...[spec.workspace, snapshot.id, snapshot.folder, spec.counter, spec.hash, spec.text.length],
      ...[chunks.filter(isNonAscii).length, spec.fence, JSON.stringify(spec.marks)],
      JSON.stringify({ title, progress, updated }),
      ...[spec.nonce, entry.revision, JSON.stringify(entry)],
      ...[response?.name ?? null, response?.at ?? 0, response?.text ?? ""],
    ],
  });
  if (won === undefined) return findInserted(queryable, spec);
  for (let at = 0; at < chunks.length; at += atOnce)
    await insertPieces(queryable, won.spec, chunks.slice(at, at + atOnce));
  return won.spec;
}

async function insertPieces(queryable: Queryable, spec: number, chunks: readonly Chunk[]): Promise<void> {
  await queryable.query({
    text: `INSERT INTO foundry.piece (spec, member, entry, key, raw)
      SELECT $1, p.* FROM unnest($2::float8[], $3::float8[], $4::text[], $5::text[]) p`,
    values: [
      spec,
      ...[chunks.map(({ member }) => member), chunks.map(({ entry }) => entry)],
      ...[chunks.map(({ key }) => key), chunks.map(({ raw }) => raw)],
    ],
  });
}

/** A statement whose answer got lost is run again, and finds what it has written itself. */
async function findInserted(
  queryable: Queryable,
  { workspace, snapshot: { id }, nonce }: NewSpec,
): Promise<number | undefined> {
  const [own] = await queryable.query<{ readonly spec: number }>({
    text: `SELECT s.spec FROM foundry.spec s JOIN foundry.step d ON d.spec = s.spec AND d.turn = 1
      WHERE s.workspace = $1 AND s.id = $2 AND d.nonce = $3`,
    values: [workspace, id, nonce],
  });
  return own?.spec;
}
