import { setTimeout as pause } from "node:timers/promises";
import type { Point } from "./slope.ts";

/** One agent. It changes a task of its own, so that the last acknowledged value of the task is known. */
export interface Agent {
  readonly specId: string;
  readonly taskId: string;
  /** The number in the last change that was acknowledged; 0 before. */
  acknowledged: number;
  /** The number in the last change that was sent. */
  sent: number;
}

/** The answers that the agents got. */
export interface Counts {
  answered: number;
  refused: number;
  failed: number;
  /** The number of refused calls by error code. */
  readonly codes: Map<string, number>;
}

/** The load that one group of servers gets. */
export interface Load {
  readonly agents: readonly Agent[];
  readonly counts: Counts;
  /** The times of all answered calls: the second and the milliseconds. */
  readonly latencies: Point[];
}

const maxCallMs = 10_000;
/** The share of calls that a client gives up after a few milliseconds. */
const aborted = 0.02;

/** Returns the text that a change writes. */
export const textOf = (number: number): string => `Change ${number}`;

/**
 * Runs the calls of an agent until a time: changes, claims, dry runs and reads of several kinds, calls with invalid
 * arguments, and calls that the client gives up. `origins` are servers of the same store, and each call goes to one of
 * them.
 */
export async function runAgent(
  agent: Agent,
  origins: () => readonly string[],
  load: Load,
  { start, until, random }: { readonly start: number; readonly until: number; readonly random: () => number },
): Promise<void> {
  const { specId: spec_id, taskId: task_id } = agent;
  while (Date.now() < until) {
    const kind = random();
    if (kind < 0.4) {
      agent.sent += 1;
      const number = agent.sent;
      const answer = await call("task", { action: "update", spec_id, task_id, description: textOf(number) });
      if (answer?.success === true) agent.acknowledged = number;
    } else if (kind < 0.5) {
      // The claim of a call whose answer was lost expires by itself; until then, changes of the task are refused.
      const claimed = await call("task", { action: "claim", spec_id, task_id, lease_minutes: 1 });
      const { claim_token } = (claimed?.data ?? {}) as { readonly claim_token?: string };
      for (let tries = 0; claim_token !== undefined && tries < 5; tries++)
        if ((await call("task", { action: "release", spec_id, task_id, claim_token })) !== undefined) break;
    } else if (kind < 0.6)
      await call("task", { action: "update", spec_id, task_id, title: "x", dry_run: true });
    else if (kind < 0.65) await call("task", { action: "update", spec_id, task_id: 7, bogus: [[[]]] });
    else if (kind < 0.75) await call("task", { action: "next", spec_id });
    else if (kind < 0.85) await call("task", { action: "query", spec_id, limit: 20 });
    else if (kind < 0.95) await call("task", { action: "info", spec_id, task_id });
    else await call("spec", { action: "list" });
    await pause(random() * 20);
  }

  async function call(tool: string, args: object) {
    const all = origins();
    const origin = all[Math.floor(random() * all.length)] as string;
    const begin = performance.now();
    try {
      const response = await fetch(`${origin}/api/tools/${tool}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(args),
        signal: AbortSignal.timeout(random() < aborted ? Math.ceil(random() * 5) : maxCallMs),
      });
      const envelope = (await response.json()) as { readonly success?: boolean; readonly data?: unknown };
      load.latencies.push([(Date.now() - start) / 1_000, performance.now() - begin]);
      load.counts[envelope.success === true ? "answered" : "refused"] += 1;
      const { error_code: code } = (envelope.data ?? {}) as { readonly error_code?: string };
      if (code !== undefined) load.counts.codes.set(code, (load.counts.codes.get(code) ?? 0) + 1);
      return envelope;
    } catch {
      // The server was killed, or the client gave up. The change may or may not have been made.
      load.counts.failed += 1;
      return undefined;
    }
  }
}
