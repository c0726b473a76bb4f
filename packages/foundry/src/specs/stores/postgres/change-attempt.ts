import { randomBytes } from "node:crypto";
import type { Queryable } from "../../../postgres/database.ts";
import type { ChangeResult } from "../spec-store.ts";
import { specNotTrashed, specTrashed, versionConflict } from "../store-failures.ts";
import { replayResponse, type StoredResponse, toResponseName } from "../stored-response.ts";
import type { CachedSpec } from "./cached-spec.ts";
import type { ChunkedChange } from "./chunk-change.ts";
import { ChunkSequence, type SequencedChange } from "./chunk-sequence.ts";
import { readSpec } from "./read-spec.ts";
import { readResponses } from "./responses.ts";
import type { WriterDeps } from "./spec-writer.ts";
import { isWritten, writeSpec } from "./write-spec.ts";

/** The spec after the changes, and a function for each made change that settles it. */
export interface MadeChanges {
  readonly cached: CachedSpec;
  readonly settle: readonly (() => void)[];
}

/** The outcome of a plan: an error or a result; a result of a change is completed with the spec after `step` changes. */
type Outcome =
  | { readonly step: number; readonly result: Omit<ChangeResult<unknown>, "snapshot"> }
  | { readonly step: number; readonly reason: unknown };

/**
 * Changes that are written together, and are made exactly once even if connections are lost. A nonce shows whether an
 * earlier attempt was written.
 */
export class ChangeAttempt {
  readonly #deps: WriterDeps;
  readonly #id: string;
  readonly #changes: readonly ChunkedChange[];
  readonly #nonce: string;
  /** The attempt that was sent and is not confirmed yet. */
  #sent: (MadeChanges & { readonly turn: number }) | undefined;

  constructor(deps: WriterDeps, id: string, changes: readonly ChunkedChange[]) {
    this.#deps = deps;
    this.#id = id;
    this.#changes = [...changes];
    this.#nonce = `${deps.origin}.${randomBytes(9).toString("base64url")}`;
  }

  /** True if the changes were sent to the database, and it is not known whether they were written. */
  get wasSent(): boolean {
    return this.#sent !== undefined;
  }

  /** Throws if the only change of this attempt was cancelled. */
  requireWanted(): void {
    const [only] = this.#changes;
    if (this.#changes.length === 1) only?.options.signal?.throwIfAborted();
  }

  /**
   * Makes an attempt. Returns undefined after a conflict with another server. The attempt may make only the first of its
   * changes. Throws if the first change fails for another reason than its plan.
   */
  async make(queryable: Queryable): Promise<MadeChanges | undefined> {
    const { workspace, cache: known, keepRevisions } = this.#deps;
    const sent = this.#sent;
    if (sent !== undefined && (await isWritten(queryable, sent.cached.spec, sent.turn, this.#nonce)))
      return sent;
    const cached = await readSpec(queryable, workspace, this.#id, known.get(this.#id));
    const keys = this.#changes.flatMap(({ options: { key, dryRun } }) => (dryRun || !key ? [] : [key]));
    const responses = new Map(await readResponses(queryable, workspace, this.#id, keys));
    const sequence = new ChunkSequence(cached, keepRevisions);
    const outcomes: Outcome[] = [];
    for (const change of this.#changes) {
      const outcome = await this.#plan(queryable, sequence, change, responses);
      if (outcome === "later") break;
      if (outcome === "conflict") return undefined;
      outcomes.push(outcome);
    }
    if (sequence.length === 0) return { cached, settle: this.#toSettle(outcomes, [cached.snapshot]) };
    const written = await sequence.toWrite(queryable);
    if (written === undefined) return undefined;
    const { write, after } = written;
    const snapshots = [cached, ...after].map(({ snapshot }) => snapshot);
    const possible = outcomes.filter(({ step }) => step <= after.length);
    const made = { cached: after.at(-1) ?? cached, settle: this.#toSettle(possible, snapshots) };
    this.#sent = { ...made, turn: cached.turn };
    if (await writeSpec(queryable, write, this.#nonce)) return made;
    this.#sent = undefined;
    return undefined;
  }

  /**
   * Plans a change after the changes before it. Returns `later` if the change must be made separately, and `conflict` if
   * the spec was changed in the meantime.
   */
  async #plan(
    queryable: Queryable,
    sequence: ChunkSequence,
    { request, options }: ChunkedChange,
    responses: Map<string, StoredResponse>,
  ): Promise<Outcome | "later" | "conflict"> {
    const { before: cached } = sequence;
    const { shelf = "none", to = cached.folder } = request;
    const { ifRevision, author = "foundry-mcp", action, dryRun = false, key } = options;
    const { snapshot } = cached;
    const step = sequence.length;
    try {
      if (cached.deleted && shelf === "none") throw specTrashed(this.#id);
      const now = this.#deps.now();
      const name = key && toResponseName(key);
      const replayed =
        dryRun || key === undefined || name === undefined
          ? undefined
          : replayResponse<unknown>(key, responses.get(name), now);
      if (replayed !== undefined)
        return { step, result: { ...replayed, isChanged: false, isRepeated: true } };
      if (cached.deleted && shelf === "trash") throw specTrashed(this.#id);
      if (!cached.deleted && shelf === "folders") throw specNotTrashed(this.#id, snapshot.folder);
      // The revision after the changes before this one is not known yet.
      if (ifRevision !== undefined && step > 0) return "later";
      if (ifRevision !== undefined && ifRevision !== snapshot.revision)
        throw versionConflict(this.#id, ifRevision, snapshot.revision);
      const context = sequence.toContext(now, author, randomBytes(4).toString("hex"));
      const { plan } = request;
      const planned =
        "onModel" in plan
          ? plan.onModel(sequence.planned.model, context)
          : await plan.onChunks(queryable, cached, context);
      if (planned === undefined) return "conflict";
      const { result, warnings = [] } = planned;
      const draft = "draft" in planned ? planned.draft : undefined;
      const change = { edits: [], ...planned };
      const deleted = shelf === "trash";
      const isChanged =
        draft !== undefined || change.edits.length > 0 || to !== cached.folder || deleted !== cached.deleted;
      const hasRowChange = planned.leases !== undefined || planned.marks !== undefined || key !== undefined;
      if (dryRun || !(isChanged || hasRowChange))
        return { step, result: { result, warnings, isChanged: false } };
      const sequenced: SequencedChange = { change, draft, now, to, deleted, author, action, key };
      if (!sequence.add(sequenced)) return "later";
      if (key !== undefined && name !== undefined)
        responses.set(name, { fingerprint: key.fingerprint, at: now, revision: "", result, warnings });
      return { step: step + 1, result: { result, warnings, isChanged } };
    } catch (reason) {
      return { step, reason };
    }
  }

  #toSettle(
    outcomes: readonly Outcome[],
    snapshots: readonly ChangeResult<unknown>["snapshot"][],
  ): readonly (() => void)[] {
    return outcomes.map((outcome, index) => {
      const { resolve, reject } = this.#changes[index] as ChunkedChange;
      if ("reason" in outcome) return () => reject(outcome.reason);
      const snapshot = snapshots[outcome.step];
      if (snapshot === undefined) throw new RangeError("A change has no spec after it");
      return () => resolve({ ...outcome.result, snapshot });
    });
  }
}
