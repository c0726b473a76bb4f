import type { Queryable } from "../../../postgres/database.ts";
import type { Change, ChangeContext } from "../../model/change.ts";
import { withLeases } from "../../model/lease.ts";
import { affectedNodes } from "../affected-nodes.ts";
import type { IdempotencyKey, SpecSnapshot } from "../spec-store.ts";
import type { CachedSpec } from "./cached-spec.ts";
import { byPosition, type Chunk, positionOf } from "./chunks/chunk.ts";
import { type ChunkWindow, editChunks, pickWindow, windowOf } from "./chunks/window.ts";
import { mergeWrites } from "./merge-writes.ts";
import { type ChunkDraft, type PlannedChange, toWrite, type WriteOptions } from "./plan-write.ts";
import { readChunks } from "./read-chunks.ts";
import { toResponseRow } from "./responses.ts";
import type { SpecWrite } from "./write-spec.ts";

/** A planned change, and the data that its history entry and its response need. */
export interface SequencedChange extends Omit<WriteOptions, "keepRevisions"> {
  readonly change: Change<unknown>;
  /** The new chunks, if the plan has read the chunks itself. */
  readonly draft?: ChunkDraft | undefined;
  readonly key?: IdempotencyKey | undefined;
}

interface Step extends SequencedChange {
  readonly window: ChunkWindow | undefined;
  readonly model: SpecSnapshot["model"];
}

/** The members of a spec that plans use. These members reflect the planned changes; the revision does not. */
type PlannedSpec = Pick<CachedSpec, "marks" | "leases" | "fence"> & Pick<SpecSnapshot, "model">;

/**
 * Changes of one spec that are planned one after the other on the model, and then written together in one statement. The
 * chunks that all changes need are read once.
 */
export class ChunkSequence {
  readonly before: CachedSpec;
  /** The spec as the planned changes leave it behind. */
  planned: PlannedSpec;
  readonly #keepRevisions: number;
  readonly #steps: Step[] = [];
  #window: ChunkWindow | undefined;

  constructor(before: CachedSpec, keepRevisions: number) {
    const { marks, leases, fence, snapshot } = before;
    this.before = before;
    this.planned = { marks, leases, fence, model: snapshot.model };
    this.#keepRevisions = keepRevisions;
  }

  /** The number of planned changes. */
  get length(): number {
    return this.#steps.length;
  }

  /** Returns the leases and other data for the plan of the next change. */
  toContext(now: string, author: string, token: string): ChangeContext {
    const { marks, leases, fence } = this.planned;
    return { now, author, folder: this.before.folder, marks, leases, newToken: `${fence + 1}-${token}` };
  }

  /**
   * Adds a planned change. Returns false if the change cannot be written together with the changes before it, because it
   * needs all chunks of the spec.
   */
  add(change: SequencedChange): boolean {
    const { model: before, marks, leases, fence } = this.planned;
    const { edits, leases: changed } = change.change;
    const window = edits.length === 0 ? undefined : windowOf(before, edits);
    if (this.#steps.length > 0 && (window === "all" || this.#window === "all")) return false;
    this.#window = union(this.#window, window);
    const model = change.draft?.model ?? before.after(edits);
    this.planned = {
      model,
      marks: { ...marks, ...change.change.marks },
      leases: withLeases(leases, changed),
      fence: fence + (changed === undefined ? 0 : 1),
    };
    this.#steps.push({ ...change, window, model });
    return true;
  }

  /**
   * Returns the rows to write and the specs after each change. There may be fewer specs than planned changes: the other
   * changes must be made separately. Returns undefined if the spec was changed in the meantime. Throws if the first
   * change is not possible.
   */
  async toWrite(
    queryable: Queryable,
  ): Promise<{ readonly write: SpecWrite; readonly after: readonly CachedSpec[] } | undefined> {
    const { spec, turn } = this.before;
    const writes: Omit<SpecWrite, "turn">[] = [];
    const after: CachedSpec[] = [];
    let chunks = await this.#read(queryable, this.#window);
    if (chunks === undefined) return undefined;
    let cached = this.before;
    for (const [index, step] of this.#steps.entries()) {
      let draft = step.draft ?? toDraft(cached, step, chunks, this.#window === "all");
      if (draft === "all") {
        if (index > 0) break;
        const all = await this.#read(queryable, "all");
        if (all === undefined) return undefined;
        draft = toDraft(cached, step, all, true);
        if (draft === "all") throw new Error("All chunks of a spec are always enough to edit it");
        this.#steps.length = 1;
      }
      try {
        const { edits: _, ...change } = step.change;
        const planned: PlannedChange<unknown> = { ...change, draft };
        const made = toWrite(cached, planned, { ...step, keepRevisions: this.#keepRevisions });
        const { revision } = made.after.snapshot;
        const { result, warnings = [] } = step.change;
        const response = step.key && toResponseRow(step.key, step.now, revision, result, warnings);
        writes.push({ ...made.turn, responses: response === undefined ? [] : [response] });
        cached = made.after;
      } catch (thrown) {
        // The change is made separately, so that only this change fails.
        if (index === 0) throw thrown;
        break;
      }
      after.push(cached);
      if (draft !== undefined) chunks = withChange(chunks, draft);
    }
    const last = { ...cached, turn: turn + 1 };
    return { write: { ...mergeWrites(writes), spec, turn }, after: [...after.slice(0, -1), last] };
  }

  async #read(queryable: Queryable, window: ChunkWindow | undefined): Promise<readonly Chunk[] | undefined> {
    if (window === undefined) return [];
    const { turn, chunks } = await readChunks(queryable, this.before.spec, window);
    return turn === this.before.turn ? chunks : undefined;
  }
}

/** Returns the new chunks of a change; undefined if the text stays; `all` if the change needs all chunks. */
function toDraft(
  cached: CachedSpec,
  { change: { edits }, model, window }: Step,
  chunks: readonly Chunk[],
  isWhole: boolean,
): ChunkDraft | "all" | undefined {
  if (edits.length === 0 || window === undefined) return undefined;
  const before = isWhole ? chunks : pickWindow(chunks, window);
  const change = editChunks(before, edits, { isPlain: cached.wide === 0, isWhole });
  const about = affectedNodes(edits, cached.snapshot.model, model);
  return change === undefined ? "all" : { before, change, model, edits, about };
}

function withChange(
  chunks: readonly Chunk[],
  { change: { written, removed } }: ChunkDraft,
): readonly Chunk[] {
  const all = new Map(chunks.map((chunk) => [positionOf(chunk), chunk]));
  for (const chunk of removed) all.delete(positionOf(chunk));
  for (const chunk of written) all.set(positionOf(chunk), chunk);
  return [...all.values()].sort(byPosition);
}

function union(one: ChunkWindow | undefined, other: ChunkWindow | undefined): ChunkWindow | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  if (one === "all" || other === "all") return "all";
  const join = (name: "nodes" | "parts" | "whole") => [...new Set([...one[name], ...other[name]])];
  return { nodes: join("nodes"), parts: join("parts"), whole: join("whole") };
}
