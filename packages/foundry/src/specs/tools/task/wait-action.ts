import { type ContractError, unavailable } from "@foundry-mcp/contract";
import { action, createShares, payload } from "@foundry-mcp/toolkit";
import { z } from "zod";
import type { Leases } from "../../model/lease.ts";
import type { NextTask } from "../../model/next-task.ts";
import { givenFilter, type WorkFilter } from "../../model/work-filter.ts";
import type { SpecReader, SpecSnapshot } from "../../stores/spec-store.ts";
import { warnIfOverwritten } from "../overwritten.ts";
import { since, specId, workFilter } from "../parameters.ts";
import type { Workspace } from "../workspace.ts";
import { activeSpecs, requireSpecFor, searchSpecs } from "./active-specs.ts";
import { findUnclaimedTask } from "./next-view.ts";

/** Less than the usual timeout of clients. */
const defaultSeconds = 50;
/** The maximum number of waiting calls of a server: each occupies a slot that other calls need. */
const maxWaits = 100;
/** Polls at this interval at least, because some file systems report no changes. */
const maxSleepMs = 30_000;

/** Creates the action of `task` that waits for a ready task or a new revision. */
export function waitAction(workspace: Workspace) {
  const waits = createShares({ limit: maxWaits, own: "refuse" });
  return {
    wait: action({
      description: "Wait for a ready task or a change (default: in any active spec)",
      input: () =>
        z.object({
          spec_id: specId.optional(),
          for: z
            .enum(["ready", "change"])
            .optional()
            .describe("Default: ready. Wait for a ready task, or for any change of the spec"),
          since,
          ...workFilter,
          timeout_seconds: z.number().min(0).max(3_600).optional().describe("Default: 50"),
        }),
      output: () =>
        payload({
          spec_id: z.string().optional(),
          revision: z.string().optional(),
          ready: z.boolean(),
          timed_out: z.boolean(),
        }),
      readOnly: true,
      timeoutMs: 3_700_000,
      cli: { command: "tasks wait", arguments: ["spec_id"] },
      run: async (input, context) => {
        requireSpecFor(input, { since: "a revision is one of a spec" });
        if (input.for === "change") requireSpecFor(input, { for: "a change is one of a spec" });
        const { spec_id, timeout_seconds = defaultSeconds } = input;
        const store = await workspace.store();
        const check =
          spec_id === undefined
            ? () => checkAll(workspace, store, givenFilter(input))
            : await createSpecCheck(workspace, store, { ...input, spec_id });
        const endsAt = Date.now() + timeout_seconds * 1_000;
        const displaced = new AbortController();
        const wait = { owner: context.clientKey, giveWay: () => displaced.abort(hasMostWaits()) };
        if (!waits.add(wait)) throw tooManyWaits();
        const ended = AbortSignal.any([context.signal, displaced.signal]);
        const { isMet, snapshot, answer } = await pollUntilMet(store, spec_id, check, endsAt, ended).finally(
          () => waits.delete(wait),
        );
        if (snapshot !== undefined) warnIfOverwritten(snapshot, context);
        return { ...answer, timed_out: !isMet };
      },
    }),
  };
}

interface WaitInput extends WorkFilter {
  readonly spec_id: string;
  readonly for?: "ready" | "change" | undefined;
  readonly since?: string | undefined;
}

/** The state of a wait. */
interface WaitState {
  readonly isMet: boolean;
  readonly answer: { readonly ready: boolean };
  readonly snapshot?: SpecSnapshot | undefined;
  /** The specs whose leases may expire. */
  readonly specs: readonly string[];
}

/** Creates the check of a wait for one spec. */
async function createSpecCheck(
  workspace: Workspace,
  store: SpecReader,
  { spec_id, for: what = "ready", since: known, ...planning }: WaitInput,
): Promise<() => Promise<WaitState>> {
  const filter = givenFilter(planning);
  const first = known ?? (await store.read(spec_id)).revision;
  return async () => {
    const { snapshot, next } = await findSettledTask(workspace, store, spec_id, filter);
    const { revision, folder } = snapshot;
    // A completed or archived spec has no ready task in the future; a caller can still wait for a change.
    const isDone = !next.found && next.reason === "complete";
    const isOver = isDone || folder === "completed" || folder === "archived";
    const isMet = what === "ready" ? next.found || isOver : revision !== first;
    const task = next.found ? { task_id: next.node.id, title: next.node.title } : { reason: next.reason };
    return {
      isMet,
      snapshot,
      answer: { spec_id, ready: next.found, changed: revision !== first, ...task, revision },
      specs: [spec_id],
    };
  };
}

/** Checks all active specs for a ready task. Another spec may be activated at any time, so that only a task ends the wait. */
async function checkAll(
  workspace: Workspace,
  store: SpecReader,
  filter: WorkFilter | undefined,
): Promise<WaitState> {
  const specs = (await activeSpecs(store)).map(({ id }) => id);
  const answer = await searchSpecs(workspace, undefined, filter, async (spec_id) => {
    const { snapshot, next } = await findSettledTask(workspace, store, spec_id, filter);
    return next.found ? { ...next, spec_id, revision: snapshot.revision } : { ...next, message: "", spec_id };
  });
  if (!("node" in answer))
    return { isMet: false, answer: { ready: false, ...{ reason: answer.reason } }, specs };
  const { spec_id, revision, node } = answer;
  return {
    isMet: true,
    answer: { ready: true, ...{ spec_id, task_id: node.id, title: node.title, revision } },
    specs,
  };
}

const maxAttempts = 3;

/** Finds the next task. A completion drops its lease: a task is ready only if the spec is still what it was before leases were read. */
async function findSettledTask(
  workspace: Workspace,
  store: SpecReader,
  spec_id: string,
  filter: WorkFilter | undefined,
): Promise<{ readonly snapshot: SpecSnapshot; readonly next: NextTask }> {
  for (let attempt = 1; ; attempt++) {
    const snapshot = await store.read(spec_id);
    const next = await findUnclaimedTask(workspace, snapshot, filter);
    if (!next.found || attempt === maxAttempts) return { snapshot, next };
    if ((await store.read(spec_id)).revision === snapshot.revision) return { snapshot, next };
  }
}

function tooManyWaits(): ContractError {
  return toBusy(`Cannot wait: ${maxWaits} calls of this server wait already, most of them of this client`);
}

/** The failure of the oldest wait of the client with the most, when another client needs its place. */
function hasMostWaits(): ContractError {
  return toBusy(
    "Cannot wait any longer: another client waits too, and this client has the most waiting calls",
  );
}

function toBusy(message: string): ContractError {
  return unavailable(message, {
    errorCode: "RESOURCE_BUSY",
    remediation: "Subscribe to the resource of the spec, or ask again in a few seconds.",
    details: { limit: maxWaits },
    retryAfterSeconds: 5,
  });
}

/** Checks again whenever the spec may have changed, until the condition is met or the time is over. */
async function pollUntilMet(
  store: SpecReader,
  id: string | undefined,
  check: () => Promise<WaitState>,
  endsAt: number,
  signal: AbortSignal,
): Promise<WaitState> {
  const wake = new WakeSignal();
  const unwatch = store.watch((changed) => {
    if (id === undefined || changed === id) wake.notify();
  });
  const onAbort = () => wake.notify();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    for (;;) {
      const state = await check();
      const left = endsAt - Date.now();
      if (state.isMet || left <= 0) return state;
      signal.throwIfAborted();
      const leases = await Promise.all(state.specs.map((spec) => store.leases(spec)));
      await wake.wait(Math.min(left, maxSleepMs, ...leases.map(msUntilExpiry)));
    }
  } finally {
    unwatch();
    signal.removeEventListener("abort", onAbort);
  }
}

/** Returns the time until the next lease expires: a change that nobody writes. */
function msUntilExpiry(leases: Leases): number {
  const now = Date.now();
  const ends = [...leases.values()].map(({ until }) => Date.parse(until) - now).filter((ms) => ms > 0);
  return Math.min(...ends, maxSleepMs) + 1;
}

/** Wakes one waiter; a notification without a waiter ends the next wait at once. */
class WakeSignal {
  #isNotified = false;
  #wake: (() => void) | undefined;

  notify(): void {
    this.#isNotified = true;
    this.#wake?.();
  }

  async wait(ms: number): Promise<void> {
    if (!this.#isNotified) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#isNotified = false;
    this.#wake = undefined;
  }
}
