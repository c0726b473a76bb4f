import type { Queryable } from "../../../postgres/database.ts";
import type { SpecDocument, SpecFolder } from "../../model/spec-document.ts";
import { hashOf, parseSpecFile } from "../spec-file.ts";
import { type HistoryEntry, type IdempotencyKey, type SpecSnapshot, toStoredSummary } from "../spec-store.ts";
import { toResponseName } from "../stored-response.ts";
import { pathOf } from "./cached-spec.ts";
import { type Chunk, isNonAscii } from "./chunks/chunk.ts";
import { splitText, toChunks } from "./chunks/split-text.ts";
import { findResponse, type ResponseRow } from "./responses.ts";

/** A spec to insert. */
export interface NewSpec {
  readonly workspace: number;
  readonly snapshot: SpecSnapshot;
  readonly text: Buffer;
  readonly entry: HistoryEntry;
  readonly counter: number;
  readonly hash: string;
  readonly fence: number;
  readonly marks: Readonly<Record<string, number>>;
  /** The response to a call with an idempotency key. */
  readonly response?: ResponseRow | undefined;
  readonly nonce: string;
}

/** The scope of responses to calls that create specs. No spec can have this id. */
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

/**
 * Returns the id of the spec that a call with this key created. The advisory lock makes concurrent calls with
 * the same key wait until the transaction ends.
 */
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

/** Prints a document, and derives the row of the spec from it. */
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

/**
 * The number of chunks that one statement inserts. The number is limited, because each statement must end
 * within the statement timeout.
 */
const batchSize = 5_000;

/**
 * Inserts a spec within a transaction, and returns the number of the spec. Returns undefined if the id exists
 * already.
 */
export async function insertSpec(queryable: Queryable, spec: NewSpec): Promise<number | undefined> {
  const { snapshot, response, entry } = spec;
  const chunks = toChunks(splitText(spec.text));
  const [inserted] = await queryable.query<{ readonly spec: number }>({
    text,
    values: [
      ...[spec.workspace, snapshot.id, snapshot.folder, spec.counter, spec.hash, spec.text.length],
      ...[chunks.filter(isNonAscii).length, spec.fence, JSON.stringify(spec.marks)],
      toStoredSummary(snapshot),
      ...[spec.nonce, entry.revision, JSON.stringify(entry)],
      ...[response?.name ?? null, response?.at ?? 0, response?.text ?? ""],
    ],
  });
  if (inserted === undefined) return findInserted(queryable, spec);
  for (let at = 0; at < chunks.length; at += batchSize)
    await insertPieces(queryable, inserted.spec, chunks.slice(at, at + batchSize));
  return inserted.spec;
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

/**
 * Finds the row that an insert wrote before its connection was lost. The retried insert recognizes its own
 * row by the nonce.
 */
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
