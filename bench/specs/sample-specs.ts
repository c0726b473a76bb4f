import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The number of phases. It is the same at every size, and only the number of tasks in each phase grows. */
const phases = 10;
const at = "2026-03-01T09:00:00.000Z";

/** Returns the id of the spec of a size. */
export const specIdOf = (nodes: number): string => `bench-${nodes}`;

/** Returns the id of a task by its position in the order of work. */
export function taskIdOf(nodes: number, place: number): string {
  const perPhase = Math.ceil((nodes - phases - 1) / phases);
  return `task-${Math.floor(place / perPhase) + 1}-${(place % perPhase) + 1}`;
}

/** Returns the number of tasks in the spec of a size. The root and the phases are also nodes. */
export const tasksOf = (nodes: number): number => nodes - phases - 1;

/**
 * Returns a valid spec with the given number of nodes: ten phases of tasks. Either the first half of the
 * tasks is completed, or no task is. Every tenth open task depends on the task before it. The tasks are as
 * long as possible while 100,000 of them still fit into a file.
 */
export function sampleSpec(nodes: number, id = specIdOf(nodes), isHalfDone = true): object {
  const total = tasksOf(nodes);
  const done = isHalfDone ? Math.ceil(total / 2) : 0;
  const isDone = (place: number) => place < done;
  const hierarchy: Record<string, object> = {};
  const ids = Array.from({ length: total }, (_, place) => taskIdOf(nodes, place));
  const perPhase = Math.ceil(total / phases);
  const count = (from: number, to: number) => ({
    total_tasks: to - from,
    completed_tasks: Math.max(0, Math.min(to, done) - from),
  });
  const statusOf = (counts: { total_tasks: number; completed_tasks: number }) =>
    counts.completed_tasks === counts.total_tasks
      ? "completed"
      : counts.completed_tasks > 0
        ? "in_progress"
        : "pending";
  const phaseIds = Array.from({ length: phases }, (_, phase) => `phase-${phase + 1}`);
  hierarchy["spec-root"] = {
    type: "spec",
    title: "A spec to measure with",
    status: isHalfDone ? "in_progress" : "pending",
    parent: null,
    children: phaseIds,
    ...count(0, total),
    metadata: {},
  };
  for (const [phase, phaseId] of phaseIds.entries()) {
    const counts = count(phase * perPhase, Math.min(total, (phase + 1) * perPhase));
    hierarchy[phaseId] = {
      type: "phase",
      title: `Part ${phase + 1} of the work`,
      status: statusOf(counts),
      parent: "spec-root",
      children: ids.slice(phase * perPhase, (phase + 1) * perPhase),
      ...counts,
      metadata: {
        purpose: "One part of the whole",
        ...(statusOf(counts) === "completed" ? { completed_at: at } : {}),
      },
    };
  }
  for (const [place, taskId] of ids.entries()) {
    const waits = !isDone(place) && place % 10 === 9;
    const isAwaited = !isDone(place) && place % 10 === 8 && place + 1 < total;
    hierarchy[taskId] = {
      type: "task",
      title: `Read section ${place} of the configuration file`,
      status: isDone(place) ? "completed" : "pending",
      parent: phaseIds[Math.floor(place / perPhase)],
      children: [],
      total_tasks: 1,
      completed_tasks: isDone(place) ? 1 : 0,
      metadata: {
        description: "Take it apart, check every value, and say what is wrong with it.",
        file_path: `src/sections/section-${place}.ts`,
        task_category: "implementation",
        acceptance_criteria: ["Wrong values are named"],
        ...(isDone(place) ? { completed_at: at } : {}),
      },
      ...(waits || isAwaited
        ? {
            dependencies: {
              blocks: isAwaited ? [ids[place + 1]] : [],
              blocked_by: waits ? [ids[place - 1]] : [],
              depends: [],
            },
          }
        : {}),
    };
  }
  return {
    spec_id: id,
    title: "A spec to measure with",
    generated: at,
    last_updated: at,
    metadata: { status: "active" },
    progress_percentage: Math.floor((done / total) * 100),
    status: isHalfDone ? "in_progress" : "pending",
    current_phase: isHalfDone ? "phase-6" : "phase-1",
    hierarchy,
    journal: [],
  };
}

/**
 * Returns a spec with the given number of nodes for which every answer has the maximum length. The spec has
 * as many phases as tasks. The first phase contains all tasks, every other task depends on the first task,
 * and nearly every node has an error.
 */
export function crowdedSpec(nodes: number, id: string): object {
  const count = Math.floor((nodes - 1) / 2);
  const names = (prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}-${index + 1}`);
  const [phaseIds, taskIds] = [names("phase"), names("task-1")];
  const [first, ...others] = taskIds;
  const hierarchy: Record<string, object> = {
    "spec-root": { type: "spec", title: "Crowded", status: "pending", parent: null, children: phaseIds },
  };
  for (const [index, phaseId] of phaseIds.entries())
    hierarchy[phaseId] = {
      type: "phase",
      title: `Part ${index + 1} of the work`,
      status: "pending",
      parent: "spec-root",
      children: index === 0 ? taskIds : [],
    };
  for (const taskId of taskIds)
    hierarchy[taskId] = {
      type: "task",
      title: `Read section ${taskId}`,
      status: "to do",
      parent: "phase-1",
      children: [],
      metadata: { description: "Take it apart, check every value, and say what is wrong with it." },
      dependencies: {
        blocks: taskId === first ? others : [],
        blocked_by: taskId === first ? [] : [first],
        depends: [],
      },
    };
  return { spec_id: id, title: "Crowded", generated: at, last_updated: at, hierarchy, journal: [] };
}

/** Writes a spec into the folder `active` of a specs folder, in the format of stored files, and returns its path. */
export async function writeSpec(specsFolder: string, id: string, spec: object): Promise<string> {
  for (const folder of ["pending", "active", "completed", "archived"])
    await mkdir(join(specsFolder, folder), { recursive: true });
  const path = join(specsFolder, "active", `${id}.json`);
  await writeFile(path, `${JSON.stringify(spec, null, 2)}\n`);
  return path;
}
