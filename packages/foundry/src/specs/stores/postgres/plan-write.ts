import { createHash } from "node:crypto";
import type { Queryable } from "../../../postgres/database.ts";
import type { Change, ChangeContext, Plan } from "../../model/change.ts";
import { withLeases } from "../../model/lease.ts";
import type { SpecFolder } from "../../model/spec-document.ts";
import type { SpecModel } from "../../model/spec-model.ts";
import { requireSize } from "../spec-file.ts";
import { affectedNodes, type ChangeOptions, type HistoryEntry, toStoredSummary } from "../spec-store.ts";
import { type CachedSpec, type Delta, withRow } from "./cached-spec.ts";
import type { ChunkChange } from "./chunks/assign-positions.ts";
import { type Chunk, isNonAscii, positionOf, toStoredKey } from "./chunks/chunk.ts";
import { editChunks, windowOf } from "./chunks/window.ts";
import { readChunks } from "./read-chunks.ts";
import { printUndo } from "./revisions.ts";
import type { SpecWrite } from "./write-spec.ts";

/** The new chunks of a changed spec. */
export interface ChunkDraft {
  /** The chunks before the change. */
  readonly before: readonly Chunk[];
  readonly change: ChunkChange;
  readonly model: SpecModel;
  /** Undefined if other servers must read the whole spec again. */
  readonly edits?: Delta["edits"];
  readonly about: readonly string[];
}

/** A planned change with its new chunks; without a draft if the text stays. */
export interface PlannedChange<R> extends Omit<Change<R>, "edits"> {
  readonly draft?: ChunkDraft | undefined;
}

/** A plan on a spec in the database; undefined if the spec was changed meanwhile. */
export type ChunkPlan<R> = (
  queryable: Queryable,
  cached: CachedSpec,
  context: ChangeContext,
) => Promise<PlannedChange<R> | undefined>;

/** Turns a plan on the model into one that edits chunks, reading only those that the edits need. */
export function planOnChunks<R>(plan: Plan<R>): ChunkPlan<R> {
  return async (queryable, cached, context) => {
    const { edits, ...change } = plan(cached.snapshot.model, context);
    if (edits.length === 0) return change;
    const model = cached.snapshot.model.after(edits);
    const window = windowOf(cached.snapshot.model, edits);
    const isPlain = cached.wide === 0;
    for (const each of window === "all" ? (["all"] as const) : ([window, "all"] as const)) {
      const { turn, chunks } = await readChunks(queryable, cached.spec, each);
      if (turn !== cached.turn) return undefined;
      const chunkChange = editChunks(chunks, edits, { isPlain, isWhole: each === "all" });
      if (chunkChange === undefined) continue;
      return {
        ...change,
        draft: { before: chunks, change: chunkChange, model, edits, about: affectedNodes(edits, model) },
      };
    }
    throw new Error("All pieces of a spec are always enough to edit it");
  };
}

/** Options of a write. */
export interface WriteOptions extends Pick<ChangeOptions, "author" | "action"> {
  readonly now: string;
  readonly to: SpecFolder;
  readonly keepRevisions: number;
}

/** Derives the rows to write and the spec after the write. */
export function toWrite(
  cached: CachedSpec,
  planned: PlannedChange<unknown>,
  { now, to, author = "foundry-mcp", action = "change", keepRevisions }: WriteOptions,
): { readonly turn: Omit<SpecWrite, "response">; readonly after: CachedSpec } {
  const { spec, turn, snapshot } = cached;
  const { draft, leases = {} } = planned;
  const isRevised = draft !== undefined || to !== cached.folder;
  const { bytes, wide } = draft === undefined ? cached : measure(cached, draft);
  requireSize(bytes, snapshot.path);
  const marks = JSON.stringify({ ...cached.marks, ...planned.marks });
  const row = {
    ...{ spec, folder: to, bytes, wide, marks },
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
  };
  return {
    after,
    turn: {
      ...row,
      turn,
      marks: planned.marks === undefined ? undefined : marks,
      summary: draft === undefined ? undefined : toStoredSummary(after.snapshot),
      written: draft?.change.written ?? [],
      removed: draft?.change.removed ?? [],
      delta: draft !== undefined && draft.edits === undefined ? undefined : delta,
      leases: Object.fromEntries(
        Object.entries(leases).map(([task, lease]) => [toStoredKey(task), lease && JSON.stringify(lease)]),
      ),
      revision: isRevised
        ? {
            entry,
            undo: draft === undefined ? "[]" : printUndo(draft.before, draft.change),
            keep: keepRevisions,
          }
        : undefined,
    },
  };
}

/** The size and the number of non-ASCII chunks after a change, computed from the changed chunks alone. */
function measure({ bytes, wide }: CachedSpec, { before, change: { written, removed } }: ChunkDraft) {
  const known = new Map(before.map((chunk) => [positionOf(chunk), chunk]));
  const replaced = written.flatMap((chunk) => known.get(positionOf(chunk)) ?? []);
  const sizeOf = (chunks: readonly Chunk[]) =>
    chunks.reduce((sum, { raw }) => sum + Buffer.byteLength(raw), 0);
  const wideOf = (chunks: readonly Chunk[]) => chunks.filter(isNonAscii).length;
  const gone = [...replaced, ...removed];
  return { bytes: bytes + sizeOf(written) - sizeOf(gone), wide: wide + wideOf(written) - wideOf(gone) };
}

/** The next revision hash: of the change and the previous hash, because hashing the text would require reading all of it. */
function hashAfter({ hash, counter }: CachedSpec, to: SpecFolder, draft: ChunkDraft | undefined): string {
  const { written = [], removed = [] } = draft?.change ?? {};
  return createHash("sha256")
    .update(JSON.stringify([counter, hash, to, written, removed.map(positionOf)]))
    .digest("hex")
    .slice(0, 8);
}
