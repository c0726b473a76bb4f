import { type ContractError, unavailable } from "@foundry-mcp/contract";
import { action, payload } from "@foundry-mcp/toolkit";
import { z } from "zod";
import type { Leases } from "../../model/lease.ts";
import type { SpecStore } from "../../stores/spec-store.ts";
import { specRevision, since, specId } from "../parameters.ts";
import type { Workspace } from "../workspace.ts";
import { waitSeconds } from "./claim-parameters.ts";
import { findUnclaimedTask } from "./next-view.ts";

/** Below what clients wait for by themselves. */
const defaultSeconds = 50;
/** So many calls of a process wait at once: each has one of the turns that other calls need too. */
const maxWaits = 100;
/** Some file systems tell nothing: it is looked at so often in any case. */
const maxSleepMs = 30_000;

/** The action of `task` that waits until there is something to do. */
export function waitAction(workspace: Workspace) {
  return {
    wait: action({
      description: "Until there is something to do",
      input: () =>
        z.object({
          spec_id: specId,
          for: z
            .enum(["ready", "change"])
            .optional()
            .describe("Default: ready; that is for a task, change for another revision"),
          since,
          timeout_seconds: waitSeconds,
        }),
      output: () => payload({ ...specRevision, ready: z.boolean(), timed_out: z.boolean() }),
      readOnly: true,
      timeoutMs: 3_700_000,
      cli: { command: "tasks wait", arguments: ["spec_id"] },
      run: async (
        { spec_id, for: what = "ready", since: known, timeout_seconds = defaultSeconds },
        { signal },
      ) => {
        const store = await workspace.store();
        const first = known ?? (await store.read(spec_id)).revision;
        const look = async () => {
          const { model, revision, folder } = await store.read(spec_id);
          const next = await findUnclaimedTask(workspace, spec_id, model);
          // Of what is done or put away nothing more is to be expected; whoever does waits for a change.
          const isDone = !next.found && next.reason === "complete";
          const isOver = isDone || folder === "completed" || folder === "archived";
          const isThere = what === "ready" ? next.found || isOver : revision !== first;
          const task = next.found
            ? { task_id: next.node.id, title: next.node.title }
            : { reason: next.reason };
          return {
            isThere,
            answer: { spec_id, ready: next.found, changed: revision !== first, ...task, revision },
          };
        };
        if (activeWaits >= maxWaits) throw tooManyWaits();
        const endsAt = Date.now() + timeout_seconds * 1_000;
        activeWaits += 1;
        const { isThere, answer } = await pollUntilMet(store, spec_id, look, endsAt, signal).finally(() => {
          activeWaits -= 1;
        });
        return { ...answer, timed_out: !isThere };
      },
    }),
  };
}

let activeWaits = 0;

function tooManyWaits(): ContractError {
  return unavailable(`Cannot wait: ${maxWaits} calls of this server wait already`, {
    errorCode: "RESOURCE_BUSY",
    remediation: "Subscribe to the resource of the spec, or ask again in a few seconds.",
    details: { limit: maxWaits },
    retryAfterSeconds: 5,
  });
}

/** Looks again whenever something may have changed, and costs nothing between. */
async function pollUntilMet<T extends { readonly isThere: boolean }>(
  store: SpecStore,
  id: string,
  look: () => Promise<T>,
  endsAt: number,
  signal: AbortSignal,
): Promise<T> {
  const bell = new WakeSignal();
  const unwatch = store.watch((changed) => {
    if (changed === id) bell.ring();
  });
  const onAbort = () => bell.ring();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    for (;;) {
      const seen = await look();
      const left = endsAt - Date.now();
      if (seen.isThere || left <= 0) return seen;
      signal.throwIfAborted();
      await bell.wait(Math.min(left, maxSleepMs, msUntilExpiry(await store.leases(id))));
    }
  } finally {
    unwatch();
    signal.removeEventListener("abort", onAbort);
  }
}

/** A lease that runs out is a change that nobody writes. */
function msUntilExpiry(leases: Leases): number {
  const now = Date.now();
  const ends = [...leases.values()].map(({ until }) => Date.parse(until) - now).filter((ms) => ms > 0);
  return Math.min(...ends, maxSleepMs) + 1;
}

/** Wakes one who waits; a ring that nobody heard is kept for the next. */
class WakeSignal {
  #hasRung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#hasRung = true;
    this.#wake?.();
  }

  async wait(ms: number): Promise<void> {
    if (!this.#hasRung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#hasRung = false;
    this.#wake = undefined;
  }
}
