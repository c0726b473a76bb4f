import type { Envelope } from "@foundry-mcp/contract";
import { expect } from "vitest";
import type { WorkerProcess } from "./worker-process.ts";
import { specOf } from "./workspace.ts";

/** The workspace in which agents worked. Tests examine the result in it. */
interface Workplace {
  readonly store: {
    readText(id: string): Promise<Uint8Array>;
    readRevision(id: string, revision: string): Promise<Uint8Array>;
  };
  cli(...argv: string[]): Promise<Envelope>;
}

/**
 * The output of an agent: the tasks that it held, its acknowledged changes, and the times at which no task was
 * available to it.
 */
interface Said {
  readonly at: number;
  readonly held?: string;
  readonly done?: string;
  readonly failed?: string;
  readonly error?: string;
  readonly idle?: string;
  readonly asked?: number;
  readonly revision?: string;
}

const phases = 20;
const tasks = 25;
export const taskCount: number = phases * tasks;

/**
 * The dependencies of the tasks. Each task depends on the task four before it, across all phases, so at most four
 * tasks can be worked on at a time.
 */
const blockedBy: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Array.from({ length: phases }, (_, index) => index + 1).flatMap((phase) =>
    Array.from({ length: tasks }, (_, index) => index + 1).flatMap((task) => {
      if (task > 4) return [[`task-${phase}-${task}`, [`task-${phase}-${task - 4}`]]];
      if (phase > 1) return [[`task-${phase}-${task}`, [`task-${phase - 1}-${tasks - 4 + task}`]]];
      return [];
    }),
  ),
);

/** A spec whose tasks depend on one another. */
export const sharedSpec = () => specOf("shared", { phases, tasks, blockedBy });

export const saidBy = (agents: readonly WorkerProcess[]): readonly Said[] =>
  agents.flatMap(({ lines }) => lines as readonly Said[]);

/** Checks that every task was completed exactly once, after all tasks on which it depends. */
export async function requireDoneInOrder({ store, cli }: Workplace): Promise<void> {
  const spec = JSON.parse(Buffer.from(await store.readText("shared")).toString());
  const completions = (spec.journal as { task_id: string; title: string }[])
    .filter(({ title }) => title.startsWith("Task Completed"))
    .map(({ task_id }) => task_id);
  expect(completions).toHaveLength(taskCount);
  expect(new Set(completions).size).toBe(taskCount);
  const place = new Map(completions.map((task, index) => [task, index]));
  const early = Object.entries(blockedBy).flatMap(([task, blockers]) =>
    blockers.filter((blocker) => (place.get(blocker) ?? 0) > (place.get(task) ?? 0)),
  );
  expect(early).toEqual([]);
  expect(spec.hierarchy["spec-root"]).toMatchObject({ completed_tasks: taskCount, status: "completed" });
  const check = await cli("validate", "check", "shared", "--strict");
  expect(check.data).toMatchObject({ is_valid: true, error_count: 0 });
}

/**
 * Counts how often an agent received the answer that there is nothing to do (`idle`), and the ready tasks that no
 * other agent held at that time (`wrong`).
 */
export async function countIdleThoughReady(
  { store }: Pick<Workplace, "store">,
  said: readonly Said[],
): Promise<{ readonly idle: number; readonly wrong: number }> {
  const spans = new Map<string, { from: number; to: number }>();
  for (const { held, done, at } of said) {
    if (held !== undefined)
      spans.set(held, { from: at, to: spans.get(held)?.to ?? Number.POSITIVE_INFINITY });
    if (done !== undefined) spans.set(done, { from: spans.get(done)?.from ?? 0, to: at });
  }
  const readyAt = new Map<string, readonly string[]>();
  const idle = said.filter(({ idle: reason }) => reason !== undefined && reason !== "complete");
  let wrong = 0;
  for (const { revision = "", asked = 0, at } of idle) {
    const ready = readyAt.get(revision) ?? listReady(await store.readRevision("shared", revision));
    readyAt.set(revision, ready);
    for (const id of ready) {
      const span = spans.get(id);
      // Another agent must have held the task between the question and the answer. That agent reports the task a
      // little later.
      if (span === undefined || span.to < asked || span.from > at + 2_000) wrong += 1;
    }
  }
  return { idle: idle.length, wrong };
}

/** Returns the tasks that were ready, based on the text of a revision. */
function listReady(text: Uint8Array): readonly string[] {
  const { hierarchy } = JSON.parse(Buffer.from(text).toString()) as {
    hierarchy: Record<string, { status: string; type: string }>;
  };
  const isDone = (id: string) => hierarchy[id]?.status === "completed";
  return Object.keys(hierarchy).filter(
    (id) =>
      hierarchy[id]?.type === "task" &&
      hierarchy[id]?.status === "pending" &&
      (blockedBy[id] ?? []).every(isDone),
  );
}
