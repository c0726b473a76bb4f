import { createHash } from "node:crypto";
import type { Queryable } from "../../../postgres/database.ts";
import type { Change, ChangeContext, Plan } from "../../model/change.ts";
import { withLeases } from "../../model/lease.ts";
import type { SpecFolder } from "../../model/spec-document.ts";
import type { SpecModel } from "../../model/spec-model.ts";
import { requireSize } from "../spec-file.ts";
import { affectedNodes, type ChangeOptions, type HistoryEntry, toSummary } from "../spec-store.ts";
import { type CachedSpec, type Delta, withRow } from "./cached-spec.ts";
import type { ChunkChange } from "./chunks/assign-positions.ts";
import { type Chunk, isNonAscii, positionOf, toStoredKey } from "./chunks/chunk.ts";
import { editChunks, windowOf } from "./chunks/window.ts";
import { readChunks } from "./read-chunks.ts";
import { printUndo } from "./revisions.ts";
import type { SpecWrite } from "./write-spec.ts";

/** A new text of a spec. */
export interface ChunkDraft {
  /** The chunks that it was made of. */
  readonly before: readonly Chunk[];
  readonly change: ChunkChange;
  readonly model: SpecModel;
  /** Undefined where others have to read everything again. */
  readonly edits?: Delta["edits"];
  readonly about: readonly string[];
}

/** What a change comes to; no draft where the text stays. */
export interface PlannedChange<R> extends Omit<Change<R>, "edits"> {
  readonly draft?: ChunkDraft | undefined;
}

/** A plan on a spec in a database; undefined where the spec was changed meanwhile. */
export type ChunkPlan<R> = (
  queryable: Queryable,
  held: CachedSpec,
  context: ChangeContext,
) => Promise<PlannedChange<R> | undefined>;

/** A plan on the chunks of a spec. */
export function planOnChunks<R>(plan: Plan<R>): ChunkPlan<R> {
  return async (queryable, held, context) => {
    const { edits, ...change } = plan(held.snapshot.model, context);
    if (edits.length === 0) return change;
    const model = held.snapshot.model.after(edits);
    const window = windowOf(held.snapshot.model, edits);
    const isPlain = held.wide === 0;
    for (const each of window === "all" ? (["all"] as const) : ([window, "all"] as const)) {
      const { turn, chunks } = await readChunks(queryable, held.spec, each);
      if (turn !== held.turn) return undefined;
      const made = editChunks(chunks, edits, { isPlain, isWhole: each === "all" });
      if (made === undefined) continue;
      return {
        ...change,
        draft: { before: chunks, change: made, model, edits, about: affectedNodes(edits, model) },
      };
    }
    throw new Error("All pieces of a spec are always enough to edit it");
  };
}

/** How a turn is made of what was planned. */
export interface WriteOptions extends Pick<ChangeOptions, "author" | "action"> {
  readonly now: string;
  readonly to: SpecFolder;
  readonly keepRevisions: number;
}

/** What is to be written, and the spec as it will be. */
export function toWrite(
  held: CachedSpec,
  planned: PlannedChange<unknown>,
  { now, to, author = "foundry-mcp", action = "change", keepRevisions }: WriteOptions,
): { readonly turn: Omit<SpecWrite, "response">; readonly after: CachedSpec } {
  const { spec, turn, snapshot } = held;
  const { draft, leases = {} } = planned;
  const isRevised = draft !== undefined || to !== held.folder;
  const { bytes, wide } = draft === undefined ? held : measure(held, draft);
  requireSize(bytes, snapshot.path);
  const marks = JSON.stringify({ ...held.marks, ...planned.marks });
  const row = {
    ...{ spec, folder: to, bytes, wide, marks },
    counter: held.counter + (isRevised ? 1 : 0),
    hash: isRevised ? hashAfter(held, to, draft) : held.hash,
    fence: held.fence + (planned.leases === undefined ? 0 : 1),
  };
  const delta: Delta = { edits: draft?.edits, leases: planned.leases };
  const model = draft?.model ?? snapshot.model;
  const later = { ...row, turn: turn + 1 };
  const after = withRow(snapshot.id, later, model, withLeases(held.leases, leases));
  const entry: HistoryEntry = {
    ...{ revision: after.snapshot.revision, at: now, author, action },
    about: draft?.about ?? [],
  };
  const { title, progress, updated } = toSummary(after.snapshot);
  return {
    after,
    turn: {
      ...row,
      turn,
      marks: planned.marks === undefined ? undefined : marks,
      summary: draft === undefined ? undefined : JSON.stringify({ title, progress, updated }),
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

/** Size and kind of the text after a change, without the rest of it. */
function measure({ bytes, wide }: CachedSpec, { before, change: { written, removed } }: ChunkDraft) {
  const known = new Map(before.map((chunk) => [positionOf(chunk), chunk]));
  const replaced = written.flatMap((chunk) => known.get(positionOf(chunk)) ?? []);
  const sizeOf = (chunks: readonly Chunk[]) =>
    chunks.reduce((sum, { raw }) => sum + Buffer.byteLength(raw), 0);
  const wideOf = (chunks: readonly Chunk[]) => chunks.filter(isNonAscii).length;
  const gone = [...replaced, ...removed];
  return { bytes: bytes + sizeOf(written) - sizeOf(gone), wide: wide + wideOf(written) - wideOf(gone) };
}

/** A hash of the content would take all of it: this one is of the change, and of the hash before. */
function hashAfter({ hash, counter }: CachedSpec, to: SpecFolder, draft: ChunkDraft | undefined): string {
  const { written = [], removed = [] } = draft?.change ?? {};
  return createHash("sha256")
    .update(JSON.stringify([counter, hash, to, written, removed.map(positionOf)]))
    .digest("hex")
    .slice(0, 8);
}
