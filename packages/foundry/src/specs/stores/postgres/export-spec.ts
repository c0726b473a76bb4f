import type { Queryable } from "../../../postgres/database.ts";
import type { Lease } from "../../model/lease.ts";
import type { SpecFolder } from "../../model/spec-document.ts";
import { counterOf, type RevisionText, type SpecExport } from "../spec-export.ts";
import { parseSpecFile } from "../spec-file.ts";
import type { HistoryEntry } from "../spec-store.ts";
import { specExists, specNotFound, specTrashed } from "../store-failures.ts";
import type { StoredResponse } from "../stored-response.ts";
import { pathOf } from "./cached-spec.ts";
import { assignPositions } from "./chunks/assign-positions.ts";
import { type Chunk, toStoredKey, toText } from "./chunks/chunk.ts";
import { splitText, toChunks } from "./chunks/split-text.ts";
import { insertSpec } from "./create-spec.ts";
import { readChunks } from "./read-chunks.ts";
import { applyUndo, printChange } from "./revisions.ts";

interface Row {
  readonly spec: number;
  readonly folder: SpecFolder;
  readonly counter: number;
  readonly hash: string;
  readonly fence: number;
  readonly marks: string;
  readonly deleted: boolean;
}

/** Exports a spec. The transaction must use a snapshot. */
export async function exportSpec(queryable: Queryable, workspace: number, id: string): Promise<SpecExport> {
  const row = await findRow(queryable, workspace, id);
  if (row === undefined) throw specNotFound(id);
  if (row.deleted) throw specTrashed(id);
  const { spec, folder, counter, hash, fence, marks } = row;
  const { chunks } = await readChunks(queryable, spec, "all");
  const leases = await queryable.query<{ readonly lease: string }>({
    text: "SELECT lease FROM foundry.lease WHERE spec = $1 ORDER BY task",
    values: [spec],
  });
  const answers = await queryable.query<{ readonly name: string; readonly answer: string }>({
    text: "SELECT name, answer FROM foundry.answer WHERE workspace = $1 AND scope = $2",
    values: [workspace, id],
  });
  const revisions = await queryable.query<{ readonly entry: string; readonly undo: string }>({
    text: "SELECT entry, undo FROM foundry.revision WHERE spec = $1 ORDER BY counter DESC",
    values: [spec],
  });
  return {
    ...{ id, folder, revision: `${counter}-${hash}`, text: toText(chunks), fence },
    marks: JSON.parse(marks) as Record<string, number>,
    leases: leases.map(({ lease }) => JSON.parse(lease) as Lease),
    responses: new Map(answers.map(({ name, answer }) => [name, JSON.parse(answer) as StoredResponse])),
    async *past() {
      let before = chunks;
      for (const revision of revisions) {
        yield { entry: JSON.parse(revision.entry) as HistoryEntry, text: toText(before) };
        before = applyUndo(before, [revision.undo]);
      }
    },
  };
}

/** Imports a spec. The caller provides the transaction. */
export async function importSpec(
  queryable: Queryable,
  workspace: number,
  exported: SpecExport,
  overwrite: boolean,
  nonce: string,
): Promise<void> {
  const { id, folder, revision, fence, marks } = exported;
  const text = Buffer.from(exported.text);
  const { model } = parseSpecFile(text, pathOf(id, folder));
  const existing = await findRow(queryable, workspace, id, "FOR UPDATE");
  if (existing !== undefined) {
    if (!overwrite) throw specExists(id, existing.deleted ? "trash" : existing.folder);
    await queryable.query({ text: "DELETE FROM foundry.spec WHERE spec = $1", values: [existing.spec] });
  }
  const snapshot = { id, folder, revision, model, bytes: text.length, path: pathOf(id, folder) };
  const [counter, hash] = [counterOf(revision), revision.slice(revision.indexOf("-") + 1)];
  const revisions = await toRevisions(exported.past(), text);
  const [present] = revisions;
  const entry = present?.entry ?? firstSeen(revision);
  const spec = await insertSpec(queryable, {
    ...{ workspace, snapshot, text, entry, counter, hash, fence, marks, nonce },
  });
  // Another transaction has created the spec after the check.
  if (spec === undefined) throw specExists(id, folder);
  await insertLeasesAndResponses(queryable, workspace, spec, exported);
  await queryable.query({
    text: `INSERT INTO foundry.revision (spec, counter, revision, entry, undo)
      SELECT $1, r.* FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[]) r
      ON CONFLICT (spec, counter) DO UPDATE SET undo = excluded.undo`,
    values: [
      spec,
      revisions.map((each) => counterOf(each.entry.revision)),
      revisions.map((each) => each.entry.revision),
      revisions.map((each) => JSON.stringify(each.entry)),
      revisions.map((each) => each.undo),
    ],
  });
}

async function findRow(
  queryable: Queryable,
  workspace: number,
  id: string,
  lock: "" | "FOR UPDATE" = "",
): Promise<Row | undefined> {
  const [row] = await queryable.query<Row>({
    text: `SELECT spec, folder, counter, hash, fence, marks, deleted FROM foundry.spec WHERE workspace = $1 AND id = $2 ${lock}`,
    values: [workspace, id],
  });
  return row;
}

async function insertLeasesAndResponses(
  queryable: Queryable,
  workspace: number,
  spec: number,
  { id, leases, responses }: SpecExport,
): Promise<void> {
  await queryable.query({
    text: "INSERT INTO foundry.lease (spec, task, lease) SELECT $1, l.* FROM unnest($2::text[], $3::text[]) l",
    values: [
      spec,
      leases.map((lease) => toStoredKey(lease.task_id)),
      leases.map((lease) => JSON.stringify(lease)),
    ],
  });
  await queryable.query({
    text: `INSERT INTO foundry.answer (workspace, scope, name, at, answer)
      SELECT $1, $2, a.* FROM unnest($3::text[], $4::bigint[], $5::text[]) a
      ON CONFLICT (workspace, scope, name) DO UPDATE SET at = excluded.at, answer = excluded.answer`,
    values: [
      ...[workspace, id, [...responses.keys()]],
      [...responses.values()].map(({ at }) => Date.parse(at)),
      [...responses.values()].map((answer) => JSON.stringify(answer)),
    ],
  });
}

interface Revision {
  readonly entry: HistoryEntry;
  readonly undo: string;
}

/**
 * Converts revision texts to undo records; the newest record comes first. Revisions whose counter does not
 * decrease are dropped.
 */
async function toRevisions(past: AsyncIterable<RevisionText>, present: Buffer): Promise<readonly Revision[]> {
  const revisions: Revision[] = [];
  let chunks: readonly Chunk[] = toChunks(splitText(present));
  let later: HistoryEntry | undefined;
  for await (const { entry, text } of past) {
    if (later !== undefined) {
      if (counterOf(entry.revision) >= counterOf(later.revision)) break;
      const back = assignPositions(chunks, splitText(Buffer.from(text)), true);
      if (back === undefined) break;
      const stored = printChange(back);
      revisions.push({ entry: later, undo: stored });
      chunks = applyUndo(chunks, [stored]);
    }
    later = entry;
  }
  return later === undefined ? revisions : [...revisions, { entry: later, undo: "[]" }];
}

function firstSeen(revision: string): HistoryEntry {
  return { revision, at: new Date().toISOString(), author: "unknown", action: "first seen", about: [] };
}
