import { type Leases, withLeases } from "../../model/lease.ts";
import type { HistoryStep, RevisionStep } from "../history/history-folder.ts";
import type { ChangeOptions, IdempotencyKey, SpecSnapshot } from "../spec-store.ts";
import { replayResponse, type StoredResponse, toResponseName } from "../stored-response.ts";
import type { PlannedChange, TextDraft } from "./plan-change.ts";
import { SequencedRevision } from "./sequenced-revision.ts";
import { type SpecLocation, shelfOf } from "./spec-locations.ts";
import { toSnapshot } from "./spec-reader.ts";
import { type LoadedSpec, leasesOf, type SpecState, toFileVersion } from "./spec-state.ts";

/** A planned change, with the data that its history entry and its response need. */
export interface SequencedChange extends Pick<ChangeOptions, "author" | "action" | "key"> {
  readonly planned: PlannedChange<unknown>;
  readonly target: SpecLocation;
  readonly now: string;
}

interface SequencedStep {
  readonly step: Omit<HistoryStep, "to">;
  readonly splices: RevisionStep["splices"];
  readonly revision: SequencedRevision;
}

/** A response, and the spec after its change. The revision is named when the response is written. */
interface SequencedResponse {
  readonly response: Omit<StoredResponse, "revision">;
  readonly after: LoadedSpec;
}

/**
 * Changes of one spec that are planned one after the other and written together. Each change is planned on the spec
 * that the changes before it leave behind.
 */
export class ChangeSequence {
  /** The spec as it is stored. */
  readonly before: LoadedSpec;
  /** The state as it is stored; undefined if there is none. */
  readonly stateBefore: SpecState | undefined;
  readonly #steps: SequencedStep[] = [];
  readonly #responses = new Map<string, SequencedResponse>();
  /** The spec after the changes. The `stat` of this spec is that of the stored file. */
  after: LoadedSpec;
  /** The newest text; undefined if the text is unchanged. */
  draft: TextDraft | undefined;
  /** A buffer of this sequence that is no longer needed. */
  spare: Buffer | undefined;
  marks: Readonly<Record<string, number>>;
  leases: Leases;
  fence: number;
  /** True if anything has to be written. */
  hasWrites = false;

  constructor(before: LoadedSpec, stateBefore: SpecState | undefined) {
    const { marks = {}, fence = 0 } = stateBefore ?? {};
    this.before = before;
    this.stateBefore = stateBefore;
    this.after = before;
    this.marks = marks;
    this.leases = leasesOf(stateBefore);
    this.fence = fence;
  }

  /** True if the spec gets a new revision. */
  get isRevised(): boolean {
    return this.#steps.length > 0;
  }

  /** The revisions that the changes create. */
  get steps(): readonly RevisionStep[] {
    return this.#steps.map(({ step: { from, ...made }, splices, revision }) => ({
      step: { from, to: revision.name, ...made, ...(revision.isOfChange ? { hash: "change" } : {}) },
      splices,
    }));
  }

  /** The responses of the calls with an idempotency key, by name. */
  get responses(): ReadonlyMap<string, StoredResponse> {
    const responses = [...this.#responses].map(([name, { response, after }]) => {
      return [name, { ...response, revision: after.snapshot.revision }] as const;
    });
    return new Map(responses);
  }

  /** Returns the response of an earlier change of this sequence with the same key; undefined if there is none. */
  replay(key: IdempotencyKey | undefined, now: string) {
    const known = key && this.#responses.get(toResponseName(key));
    return key && known && replayResponse<unknown>(key, { ...known.response, revision: "" }, now);
  }

  /** Adds a change. Returns true if the change creates a revision. */
  add({ planned, target, now, author = "foundry-mcp", action = "change", key }: SequencedChange): boolean {
    const { location } = this.after;
    const { draft, leases, marks, result, warnings = [] } = planned;
    const isRevised = draft !== undefined || target !== location;
    if (isRevised) this.#revise(draft, target, { at: now, author, action, about: draft?.about ?? [] });
    this.marks = { ...this.marks, ...marks };
    this.leases = withLeases(this.leases, leases);
    this.fence += leases === undefined ? 0 : 1;
    this.hasWrites = true;
    if (key !== undefined) {
      const response = { fingerprint: key.fingerprint, at: now, result, warnings };
      this.#responses.set(toResponseName(key), { response, after: this.after });
    }
    return isRevised;
  }

  /** Appends a revision. The texts of earlier revisions of this sequence are no longer needed. */
  #revise(
    draft: TextDraft | undefined,
    target: SpecLocation,
    made: Pick<HistoryStep, "at" | "author" | "action" | "about">,
  ): void {
    const last = this.#steps.at(-1);
    last?.revision.replace();
    const from = this.after.snapshot.revision;
    const moved =
      target.folder === this.after.location.folder ? {} : { moved_from: this.after.location.folder };
    // The removed bytes are in a buffer that later changes overwrite.
    const splices = (draft?.splices ?? []).map((each) => ({ ...each, removed: Buffer.from(each.removed) }));
    const file = draft?.file ?? this.after.file;
    const counter = this.after.counter + 1;
    const revision = new SequencedRevision(counter, file, from, splices);
    const snapshot = toLazySnapshot(toSnapshot(target, file, ""), revision);
    this.after = { location: target, file, counter, stat: this.before.stat, snapshot };
    this.#steps.push({ step: { from, ...made, ...moved }, splices, revision });
    if (draft === undefined) return;
    this.spare = this.draft?.buffer;
    this.draft = this.draft === undefined ? draft : { ...draft, chunks: [draft.file.bytes] };
  }

  /** Returns the state to write before the spec file. */
  toState(): SpecState {
    const { before, after, marks, fence } = this;
    const { counter, file, location, snapshot } = after;
    const shelf = shelfOf(location);
    const isMoved = location !== before.location;
    const { snapshot: was, counter: counterBefore } = before;
    const lost = (overwritten: string | undefined) => (overwritten === undefined ? {} : { overwritten });
    return {
      ...{ counter, hash: file.hash, folder: shelf },
      ...(this.isRevised
        ? {
            before: {
              ...{ counter: counterBefore, ...toFileVersion(before), ...lost(was.overwritten) },
              ...(fence === (this.stateBefore?.fence ?? 0) ? {} : { leases: this.stateBefore?.leases ?? [] }),
            },
          }
        : lost(snapshot.overwritten)),
      marks,
      leases: [...this.leases.values()],
      fence,
      ...(isMoved && this.draft !== undefined ? { moving: location.folder } : {}),
    };
  }
}

/** Returns a snapshot whose revision is named when it is first read. */
function toLazySnapshot(snapshot: SpecSnapshot, revision: SequencedRevision): SpecSnapshot {
  return Object.defineProperty({ ...snapshot }, "revision", { get: () => revision.name, enumerable: true });
}
