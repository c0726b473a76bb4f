import type { Connection } from "@foundry-mcp/toolkit/client";
import { expect } from "vitest";
import { specOf } from "./workspace.ts";

const phases = 2;
const tasksOfPhase = 60;
const fileCount = 25;

/** The number of tasks in the spec for which agents race. */
export const taskCount: number = phases * tasksOfPhase;

/** Returns the file that a task changes. Tasks of one phase share files. */
const fileOf = (task: string) => `src/${Number(task.split("-")[2]) % fileCount}.ts`;

/** Returns an active spec whose tasks share files. The tasks of the second phase depend on the first phase. */
export function raceSpec() {
  const numbers = Array.from({ length: tasksOfPhase }, (_, index) => index + 1);
  const blockedBy = Object.fromEntries(numbers.map((number) => [`task-2-${number}`, [`task-1-${number}`]]));
  const spec = specOf("race", { phases, tasks: tasksOfPhase, blockedBy });
  for (const [id, node] of Object.entries(spec.hierarchy))
    if (node.type === "task") Object.assign(node.metadata, { file_path: fileOf(id) });
  return spec;
}

interface BatchAnswer {
  readonly found: boolean;
  readonly reason?: string;
  readonly revision: string;
  readonly tasks: readonly { readonly task_id: string; readonly claim_token: string }[];
}

/** A batch that an agent claimed, with the times between which the agent certainly held it. */
interface HeldBatch {
  readonly agent: number;
  readonly tasks: BatchAnswer["tasks"];
  readonly from: number;
  readonly to: number;
}

/** Claims batches and completes them over one connection until all tasks are done. */
async function runAgent(connection: Connection, agent: number): Promise<readonly HeldBatch[]> {
  const call = async <T>(args: object): Promise<T> => {
    const { success, data, error } = await connection.callTool("task", { spec_id: "race", ...args });
    expect([success, error, data["failed"] ?? 0], JSON.stringify(args)).toEqual([true, null, 0]);
    return data as T;
  };
  const held: HeldBatch[] = [];
  for (let max_tasks = 3 + agent; ; max_tasks = (max_tasks % 11) + 2) {
    const answer: BatchAnswer = await call({
      action: "prepare-batch",
      max_tasks,
      holder: `agent-${agent}`,
      lease_minutes: 60,
    });
    if (!answer.found && answer.reason === "complete") return held;
    if (!answer.found) {
      // Tasks that share a file with claimed tasks may also be ready. The next change makes some of them available.
      await call({ action: "wait", for: "change", since: answer.revision, timeout_seconds: 2 });
      continue;
    }
    const { tasks } = answer;
    const from = performance.now();
    const operate = (op: string) =>
      call({ action: "batch", operations: tasks.map((task) => toOperation(op, task)) });
    await operate("start");
    held.push({ agent, tasks, from, to: performance.now() });
    await operate("complete");
  }
}

const toOperation = (op: string, { task_id, claim_token }: BatchAnswer["tasks"][number]) => ({
  op,
  task_id,
  claim_token,
});

/**
 * Runs an agent over each connection. Checks the result, and returns the number of tasks that each agent completed.
 */
export async function raceForBatches(connections: readonly Connection[]): Promise<readonly number[]> {
  const batches = (await Promise.all(connections.map(runAgent))).flat();
  const tasks = batches.flatMap((batch) => batch.tasks);
  const ids = tasks.map(({ task_id }) => task_id);
  expect(ids).toHaveLength(taskCount);
  expect(new Set(ids).size).toBe(taskCount);
  expect(new Set(tasks.map(({ claim_token }) => claim_token)).size).toBe(taskCount);
  const overlapping = batches.filter(
    ({ tasks }) => new Set(tasks.map(({ task_id }) => fileOf(task_id))).size < tasks.length,
  );
  expect(overlapping).toEqual([]);
  expect(findSharedFiles(batches)).toEqual([]);
  return connections.map((_, agent) =>
    batches.filter((batch) => batch.agent === agent).reduce((sum, { tasks }) => sum + tasks.length, 0),
  );
}

/** Returns the files that two agents held at the same time. */
function findSharedFiles(batches: readonly HeldBatch[]): readonly string[] {
  return batches.flatMap((batch, index) =>
    batches
      .slice(index + 1)
      .filter(({ from, to }) => from < batch.to && batch.from < to)
      .flatMap(({ tasks }) => tasks.map(({ task_id }) => fileOf(task_id)))
      .filter((file) => batch.tasks.some(({ task_id }) => fileOf(task_id) === file)),
  );
}
