import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** So many phases, whatever the size: what grows is the number of tasks in each. */
const phases = 10;
const at = "2026-03-01T09:00:00.000Z";

/** The id of the spec of a size. */
export const specIdOf = (nodes: number): string => `bench-${nodes}`;

/** The id of a task by its place in the order of work. */
export function taskIdOf(nodes: number, place: number): string {
  const perPhase = Math.ceil((nodes - phases - 1) / phases);
  return `task-${Math.floor(place / perPhase) + 1}-${(place % perPhase) + 1}`;
}

/** How many tasks the spec of a size has: the root and the phases are nodes too. */
export const tasksOf = (nodes: number): number => nodes - phases - 1;

/**
 * A valid spec of so many nodes: ten phases of tasks, of which the first ones are done, half of all or none,
 * and every tenth of the others waits for the one before it. Tasks are as long as they can be for 100,000 of
 * them to fit into a file.
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
 * A spec of so many nodes that makes every answer as long as it can be: as many phases as tasks, all tasks in
 * the first phase, all of them waiting for the first, and nearly every node with something wrong.
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

/** Writes a spec into the folder `active` of a specs folder, as files have it, and returns its path. */
export async function writeSpec(specsFolder: string, id: string, spec: object): Promise<string> {
  for (const folder of ["pending", "active", "completed", "archived"])
    await mkdir(join(specsFolder, folder), { recursive: true });
  const path = join(specsFolder, "active", `${id}.json`);
  await writeFile(path, `${JSON.stringify(spec, null, 2)}\n`);
  return path;
}
