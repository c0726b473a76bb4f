import { type ContractError, unavailable } from "@foundry-mcp/contract";
import { action, createShares, payload } from "@foundry-mcp/toolkit";
import { viewOf } from "@foundry-mcp/toolkit/terminal";
import { z } from "zod";
import type { Leases } from "../../model/lease.ts";
import type { NextTask } from "../../model/next-task.ts";
import { givenFilter, type WorkFilter } from "../../model/work-filter.ts";
import type { SpecReader, SpecSnapshot } from "../../stores/spec-store.ts";
import { waitView } from "../../views/task-card-view.ts";
import { warnIfOverwritten } from "../overwritten.ts";
import { since, specId } from "../parameters.ts";
import { workFilter } from "../planning-parameters.ts";
import type { Workspace } from "../workspace.ts";
import { activeSpecs, requireSpecFor, searchSpecs } from "./active-specs.ts";
import { findUnclaimedTask, withRemediation } from "./next-view.ts";

/** The default duration of a wait in seconds. The duration is shorter than the usual timeout of clients. */
const defaultSeconds = 50;
/**
 * The maximum number of waiting calls of a server. The number is limited, because each waiting call occupies
 * a slot that other calls need.
 */
const maxWaits = 100;
/**
 * The maximum time between two polls in milliseconds. Polls are needed because some file systems do not
 * report changes.
 */
const maxSleepMs = 30_000;

/** Creates the action of `task` that waits for a ready task or a new revision. */
export function waitAction(workspace: Workspace) {
  const waits = createShares({ limit: maxWaits, own: "refuse" });
  return {
    wait: action({
      description: "Wait for a ready task or a change",
      input: () =>
        z.object({
          spec_id: specId.optional(),
          for: z
            .enum(["ready", "change"])
            .optional()
            .describe("Default: ready. Event to wait for: a ready task, or any change of the spec"),
          since,
          ...workFilter,
          timeout_seconds: z
            .number()
            .min(0)
            .max(3_600)
            .optional()
            .describe("Default: 50. Maximum number of seconds to wait"),
        }),
      output: () =>
        payload({
          spec_id: z.string().optional(),
          revision: z.string().optional(),
          ready: z.boolean(),
          timed_out: z.boolean(),
        }),
      readOnly: true,
      task: "optional",
      timeoutMs: 3_700_000,
      cli: { command: "tasks wait", arguments: ["spec_id"], show: viewOf(() => waitView) },
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
        return { ...withRemediation(answer, context.describeRemedy), timed_out: !isMet };
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
  /** The ids of the specs whose leases may expire. */
  readonly specs: readonly string[];
}

/** Creates the function that checks the condition of a wait for one spec. */
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
    // A completed or archived spec will have no ready task. A caller can still wait for a change of such a
    // spec.
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

/**
 * Checks all active specs for a ready task. If all work of these specs is done, no task becomes ready until new work
 * is added.
 */
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
  if (!("node" in answer)) {
    const { reason } = answer;
    if (reason !== "complete" || !("remedy" in answer))
      return { isMet: false, answer: { ready: false, ...{ reason } }, specs };
    const { message, remedy, other_remedies: others } = answer;
    const help = { message, remedy, ...(others === undefined ? {} : { other_remedies: others }) };
    return { isMet: true, answer: { ready: false, ...{ reason, ...help } }, specs };
  }
  const { spec_id, revision, node } = answer;
  return {
    isMet: true,
    answer: { ready: true, ...{ spec_id, task_id: node.id, title: node.title, revision } },
    specs,
  };
}

const maxAttempts = 3;

/**
 * Finds the next task. The completion of a task removes its lease. Therefore, a task counts as ready only if
 * the revision of the spec is the same before and after the leases are read.
 */
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
  return toBusy(
    `Cannot wait: ${maxWaits} calls of this server are waiting already, most of them from this client`,
  );
}

/**
 * Creates the error that ends the oldest wait of the client with the most waits. This wait ends because
 * another client needs its slot.
 */
function hasMostWaits(): ContractError {
  return toBusy(
    "Cannot wait any longer: the limit of waiting calls is reached, and this client has most of them",
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

/**
 * Checks the condition again whenever the spec may have changed, until the condition is met or the time has
 * expired.
 */
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

/** Returns the time in milliseconds until the next lease expires, because no write reports this change. */
function msUntilExpiry(leases: Leases): number {
  const now = Date.now();
  const ends = [...leases.values()].map(({ until }) => Date.parse(until) - now).filter((ms) => ms > 0);
  return Math.min(...ends, maxSleepMs) + 1;
}

/** Wakes one waiter. If there is no waiter, a notification ends the next wait immediately. */
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
