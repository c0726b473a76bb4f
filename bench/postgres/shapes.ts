import { sampleSpec, taskIdOf, tasksOf } from "../specs/sample-specs.ts";

/** A spec for measurements. */
export interface ShapedSpec {
  readonly id: string;
  readonly spec: object;
  /** The tasks that are not completed and do not depend on another task, in the order of work. */
  readonly open: readonly string[];
}

/** The arrangement of the tasks of a spec at every size. */
export interface Shape {
  readonly name: string;
  create(nodes: number, id: string): ShapedSpec;
}

/**
 * A shape with ten phases at any size. The list of children of each phase grows with the size, and a store
 * writes the list in one piece together with its counts.
 */
export const tenPhases: Shape = {
  name: "ten phases",
  create(nodes, id) {
    const tasks = Array.from({ length: tasksOf(nodes) }, (_, place) => taskIdOf(nodes, place));
    const isOpen = (place: number) => place >= Math.ceil(tasks.length / 2) && place % 10 !== 9;
    return { id, spec: sampleSpec(nodes, id), open: tasks.filter((_, place) => isOpen(place)) };
  },
};

const most = 50;

/**
 * A shape with groups of tasks in phases. The number of phases grows with the size, and no list of children
 * is longer than fifty.
 */
export const groups: Shape = {
  name: "groups of 50",
  create(nodes, id) {
    // Every fifty tasks need a group, and every fifty groups need a phase. The last group and the last phase may be
    // incomplete.
    const tasks = Math.floor((nodes - 3) / (1 + 1 / most + 1 / most ** 2));
    const flat = tenPhases.create(nodes - tasksOf(nodes) + tasks, id);
    const { hierarchy, ...fields } = flat.spec as { readonly hierarchy: Readonly<Record<string, Node>> };
    const leaves = Object.entries(hierarchy).filter(([, { type }]) => type === "task");
    const inGroups = gather(leaves, "group");
    const inPhases = gather(inGroups, "phase");
    const root = { ...hierarchy["spec-root"], children: inPhases.map(([phase]) => phase) };
    for (const [, phase] of inPhases) phase.parent = "spec-root";
    const [current] = inPhases.find(([, { status }]) => status !== "completed") ?? [];
    const nested = Object.fromEntries([["spec-root", root], ...inPhases, ...inGroups, ...leaves]);
    return { id, spec: { ...fields, current_phase: current, hierarchy: nested }, open: flat.open };
  },
};

interface Node {
  readonly type: string;
  readonly status: string;
  readonly total_tasks: number;
  readonly completed_tasks: number;
  parent: string;
}

/** Adds parent nodes, each with fifty of the nodes as children. */
function gather(nodes: readonly (readonly [string, Node])[], type: string): (readonly [string, Node])[] {
  const parents: (readonly [string, Node])[] = [];
  for (let at = 0; at < nodes.length; at += most) {
    const children = nodes.slice(at, at + most);
    const id = `${type}-${parents.length + 1}`;
    for (const [, child] of children) child.parent = id;
    parents.push([id, toParent(id, type, children)]);
  }
  return parents;
}

function toParent(id: string, type: string, children: readonly (readonly [string, Node])[]) {
  const sum = (count: (node: Node) => number) => children.reduce((total, [, node]) => total + count(node), 0);
  const total = sum((node) => node.total_tasks);
  const completed = sum((node) => node.completed_tasks);
  return {
    type,
    title: `Part ${id} of the work`,
    status: completed === total ? "completed" : completed > 0 ? "in_progress" : "pending",
    parent: "",
    children: children.map(([child]) => child),
    total_tasks: total,
    completed_tasks: completed,
    metadata: {
      purpose: "One part of the whole",
      ...(completed === total ? { completed_at: "2026-03-01T09:00:00.000Z" } : {}),
    },
  };
}
