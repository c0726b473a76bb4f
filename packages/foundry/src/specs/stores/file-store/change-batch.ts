import { setImmediate as yieldToReads } from "node:timers/promises";
import type { TakeChange } from "../queued-change.ts";
import type { ChangeResult, OverwrittenRevision } from "../spec-store.ts";
import type { ChangeSequence } from "./change-sequence.ts";
import type { ChangeRequest, TextChange } from "./text-change.ts";

/** The maximum number of changes that are written together. */
const maxChanges = 64;
/**
 * The time in milliseconds for which further changes are planned before all are written. Callers of other processes
 * wait for at most this time and the time of one write.
 */
const maxPlanningMs = 100;
/** The time in milliseconds after which planning lets the process answer other calls. */
const sliceMs = 25;

interface Outcome {
  readonly settle: () => void;
  /** True if the outcome depends on a change that is not written yet. */
  readonly dependsOnWrite: boolean;
}

/** The changes that are made together, and their outcomes. */
export class ChangeBatch {
  readonly first: TextChange;
  /** True once the changes are committed. */
  isCommitted = false;
  readonly #changes: TextChange[];
  readonly #take: TakeChange<ChangeRequest<unknown>>;
  #outcomes: Outcome[] = [];

  /** @param take - returns the next change, or undefined if no other change can be made together with these. */
  constructor(first: TextChange, take: TakeChange<ChangeRequest<unknown>>) {
    this.first = first;
    this.#changes = [first];
    this.#take = take;
  }

  get changes(): readonly TextChange[] {
    return this.#changes;
  }

  /**
   * Plans the changes one after the other. A change whose plan fails does not affect the others. If the batch is planned
   * again, no further changes are added.
   */
  async plan(
    sequence: ChangeSequence,
    plan: (change: TextChange) => Promise<ChangeResult<unknown>>,
  ): Promise<void> {
    const isAgain = this.#outcomes.length > 0;
    this.#outcomes = [];
    const start = performance.now();
    let sliceStart = start;
    for (let index = 0; index < this.#changes.length; index++) {
      const change = this.#changes[index] as TextChange;
      const settle = await plan(change).then(
        (changed) => () => change.resolve(changed),
        (reason: unknown) => () => change.reject(reason),
      );
      this.#outcomes.push({ settle, dependsOnWrite: sequence.hasWrites });
      const now = performance.now();
      if (!isAgain && index + 1 === this.#changes.length && index + 1 < maxChanges) {
        const next = now - start < maxPlanningMs ? this.#take() : undefined;
        if (next !== undefined) this.#changes.push(next);
      }
      if (now - sliceStart < sliceMs) continue;
      await yieldToReads();
      sliceStart = performance.now();
    }
  }

  /** Settles all changes. */
  settle(): void {
    for (const { settle } of this.#outcomes) settle();
  }

  /** Settles the changes whose outcome is certain, and rejects the others. */
  fail(reason: unknown): void {
    for (const [index, change] of this.#changes.entries()) {
      const outcome = this.#outcomes[index];
      if (outcome === undefined || outcome.dependsOnWrite) change.reject(reason);
      else outcome.settle();
    }
  }

  /** Reports a revision that these changes replaced to the first caller that asked for such reports. */
  reportOverwritten(overwritten: OverwrittenRevision): void {
    this.#changes.find(({ options }) => options.onOverwritten)?.options.onOverwritten?.(overwritten);
  }
}
