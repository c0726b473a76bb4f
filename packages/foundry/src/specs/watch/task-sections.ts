import { openBlockers } from "../model/dependencies.ts";
import type { SpecModel, SpecNode } from "../model/spec-model.ts";
import { type Section, toHeading } from "./fit-sections.ts";
import { leaseSegment } from "./parts.ts";
import { type Screen, type Segment, toRow } from "./screen.ts";
import { isLeaseActive, type LeasedTask } from "./watch-state.ts";
import { blockerOf, nextTasks, workListsOf } from "./work-lists.ts";

/** Returns a section of tasks. Each row has a text at its right end. */
function tasksSection(
  name: string,
  tasks: readonly string[],
  model: SpecModel,
  { width, colors }: Screen,
  own: Pick<Section, "rank" | "weight"> & {
    readonly right: (node: SpecNode) => readonly Segment[];
    readonly paint: (text: string) => string;
  },
): Section {
  return {
    ...own,
    size: tasks.length,
    heading: (shown) => toRow([[toHeading(name, shown, tasks.length), colors.bold]], [], width),
    row: (index) => {
      const id = tasks[index] as string;
      const node = model.node(id);
      const right = node === undefined ? [] : own.right(node);
      return toRow(["  ", [id, own.paint], `  ${node?.title ?? ""}`], right, width);
    },
  };
}

/** The tasks with active or expired leases, by id. */
export type Held = ReadonlyMap<string, LeasedTask>;

/** Returns the section of tasks that are in progress or have an active lease. */
export function workSection(model: SpecModel, held: Held, screen: Screen, now: string): Section {
  const taken = [...held.values()].filter((task) => isLeaseActive(task, now)).map(({ task_id }) => task_id);
  const ids = [...new Set([...taken, ...workListsOf(model).inProgress])];
  const inOrder = ids.toSorted((a, b) => model.positionOf(a) - model.positionOf(b));
  return tasksSection("In progress", inOrder, model, screen, {
    rank: 0,
    weight: 3,
    paint: screen.colors.yellow,
    right: ({ id }) => {
      const task = held.get(id);
      if (task === undefined) return [];
      return isLeaseActive(task, now)
        ? leaseSegment(task, screen.width, now)
        : [[`left by ${task.holder}`, screen.colors.dim]];
    },
  });
}

/** Returns the section of blocked tasks with their reasons. */
export function blockedSection(model: SpecModel, screen: Screen): Section {
  return tasksSection("Blocked", workListsOf(model).blocked, model, screen, {
    rank: 3,
    weight: 2,
    paint: screen.colors.red,
    right: (node) => [blockerOf(node) ?? waitsFor(model, node.id)],
  });
}

/** Returns the section of tasks that wait for other tasks. */
export function waitingSection(model: SpecModel, screen: Screen): Section {
  const { waiting } = workListsOf(model);
  return {
    ...tasksSection("Waiting", waiting, model, screen, {
      rank: 5,
      weight: 1,
      paint: screen.colors.dim,
      right: ({ id }) => [waitsFor(model, id)],
    }),
    heading: () => toRow([["Waiting for others", screen.colors.bold]], [], screen.width),
  };
}

function waitsFor(model: SpecModel, id: string): string {
  const ids = openBlockers(model, id).map((node) => node.id);
  return ids.length === 0 ? "" : `waits for ${ids.join(", ")}`;
}

const maxNext = 5;
const nothingNext = {
  complete: "Everything is done.",
  blocked: "Nothing is ready: what is left waits or is blocked.",
  in_progress: "Nothing is ready: what is left is being worked on.",
  empty: "There are no tasks.",
  no_match: "Nothing is ready.",
} as const;

/** Returns the section of the next tasks. If there are no next tasks, the section shows the reason. */
export function nextSection(model: SpecModel, held: Held, screen: Screen, now: string): Section {
  const { width, colors } = screen;
  const isHeld = (id: string) => {
    const task = held.get(id);
    return task !== undefined && isLeaseActive(task, now);
  };
  const isExpired = (id: string) => held.has(id) && !isHeld(id);
  const next = nextTasks(model, { isHeld, isExpired }, maxNext);
  const isNone = typeof next === "string";
  const tasks = tasksSection("Next", isNone ? [] : next.map(({ id }) => id), model, screen, {
    rank: 2,
    weight: 1,
    paint: colors.green,
    right: () => [],
  });
  return {
    ...tasks,
    size: isNone ? 1 : tasks.size,
    heading: () => toRow([["Next", colors.bold]], [], width),
    row: isNone ? () => toRow([`  ${nothingNext[next]}`], [], width) : tasks.row,
  };
}
