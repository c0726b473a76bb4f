import { createHash } from "node:crypto";
import type { Queryable } from "../../../postgres/database.ts";
import type { Change, ChangeContext } from "../../model/change.ts";
import { withLeases } from "../../model/lease.ts";
import type { SpecFolder } from "../../model/spec-document.ts";
import type { SpecModel } from "../../model/spec-model.ts";
import { requireSize } from "../spec-file.ts";
import { type ChangeOptions, type HistoryEntry, toStoredSummary } from "../spec-store.ts";
import { type CachedSpec, type Delta, withRow } from "./cached-spec.ts";
import type { ChunkChange } from "./chunks/assign-positions.ts";
import { type Chunk, isNonAscii, positionOf, toStoredKey } from "./chunks/chunk.ts";
import { printUndo } from "./revisions.ts";
import type { SpecWrite } from "./write-spec.ts";

/** The new chunks of a changed spec. */
export interface ChunkDraft {
  /** The chunks before the change. */
  readonly before: readonly Chunk[];
  readonly change: ChunkChange;
  readonly model: SpecModel;
  /** The edits; undefined if other servers must read the whole spec again. */
  readonly edits?: Delta["edits"];
  readonly about: readonly string[];
}

/** A planned change with its new chunks. `draft` is absent if the text does not change. */
export interface PlannedChange<R> extends Omit<Change<R>, "edits"> {
  readonly draft?: ChunkDraft | undefined;
}

/** A plan on a spec in the database. The result is undefined if the spec was changed in the meantime. */
export type ChunkPlan<R> = (
  queryable: Queryable,
  cached: CachedSpec,
  context: ChangeContext,
) => Promise<PlannedChange<R> | undefined>;

/** Options of a write. */
export interface WriteOptions extends Pick<ChangeOptions, "author" | "action"> {
  readonly now: string;
  readonly to: SpecFolder;
  /** True if the spec is in the trash after the write. */
  readonly deleted: boolean;
  readonly keepRevisions: number;
}

/** Derives the rows to write, and the spec after the write. */
export function toWrite(
  cached: CachedSpec,
  planned: PlannedChange<unknown>,
  { now, to, deleted, author = "foundry-mcp", action = "change", keepRevisions }: WriteOptions,
): { readonly turn: Omit<SpecWrite, "responses" | "turn">; readonly after: CachedSpec } {
  const { spec, turn, snapshot } = cached;
  const { draft, leases = {} } = planned;
  const isRevised = draft !== undefined || to !== cached.folder || deleted !== cached.deleted;
  const { bytes, wide } = draft === undefined ? cached : measure(cached, draft);
  requireSize(bytes, snapshot.path);
  const marks = JSON.stringify({ ...cached.marks, ...planned.marks });
  const row = {
    ...{ spec, folder: to, deleted, bytes, wide, marks },
    counter: cached.counter + (isRevised ? 1 : 0),
    hash: isRevised ? hashAfter(cached, to, draft) : cached.hash,
    fence: cached.fence + (planned.leases === undefined ? 0 : 1),
  };
  const delta: Delta = { edits: draft?.edits, leases: planned.leases };
  const model = draft?.model ?? snapshot.model;
  const later = { ...row, turn: turn + 1 };
  const after = withRow(snapshot.id, later, model, withLeases(cached.leases, leases));
  const entry: HistoryEntry = {
    ...{ revision: after.snapshot.revision, at: now, author, action },
    about: draft?.about ?? [],
    ...(to === cached.folder ? {} : { moved_from: cached.folder }),
  };
  return {
    after,
    turn: {
      ...row,
      marks: planned.marks === undefined ? undefined : marks,
      summary: draft === undefined ? undefined : toStoredSummary(after.snapshot),
      written: draft?.change.written ?? [],
      removed: draft?.change.removed ?? [],
      delta: draft !== undefined && draft.edits === undefined ? undefined : delta,
      leases: Object.fromEntries(
        Object.entries(leases).map(([task, lease]) => [toStoredKey(task), lease && JSON.stringify(lease)]),
      ),
      keepRevisions,
      revisions: isRevised
        ? [
            {
              counter: row.counter,
              entry,
              undo: draft === undefined ? "[]" : printUndo(draft.before, draft.change),
            },
          ]
        : [],
    },
  };
}

/**
 * Returns the size and the number of non-ASCII chunks after a change. Only the changed chunks are needed for
 * this computation.
 */
function measure({ bytes, wide }: CachedSpec, { before, change: { written, removed } }: ChunkDraft) {
  const known = new Map(before.map((chunk) => [positionOf(chunk), chunk]));
  const replaced = written.flatMap((chunk) => known.get(positionOf(chunk)) ?? []);
  const sizeOf = (chunks: readonly Chunk[]) =>
    chunks.reduce((sum, { raw }) => sum + Buffer.byteLength(raw), 0);
  const wideOf = (chunks: readonly Chunk[]) => chunks.filter(isNonAscii).length;
  const gone = [...replaced, ...removed];
  return { bytes: bytes + sizeOf(written) - sizeOf(gone), wide: wide + wideOf(written) - wideOf(gone) };
}

/**
 * Returns the next revision hash. The hash is computed from the change and the previous hash, because a hash
 * of the text would require reading the whole text.
 */
function hashAfter({ hash, counter }: CachedSpec, to: SpecFolder, draft: ChunkDraft | undefined): string {
  const { written = [], removed = [] } = draft?.change ?? {};
  return createHash("sha256")
    .update(JSON.stringify([counter, hash, to, written, removed.map(positionOf)]))
    .digest("hex")
    .slice(0, 8);
}
