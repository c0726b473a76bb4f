import { priorityOf } from "../../../specs/model/priority.ts";
import { rootId } from "../../../specs/model/spec-document.ts";
import type { SpecModel, SpecNode } from "../../../specs/model/spec-model.ts";
import type { Query } from "../routes/route.ts";

/**
 * The filters of a spec's tasks. The filters are parameters of the address, so that a filtered view can be shared.
 */
export const filterNames = ["q", "phase", "owner", "label", "priority"] as const;
export type FilterName = (typeof filterNames)[number];

/** The values that the tasks of a spec have, with the number of tasks for each. */
export type FilterValues = Readonly<Record<Exclude<FilterName, "q">, ReadonlyMap<string, number>>>;

/** Returns the labels of a task. */
export function labelsOf({ metadata }: SpecNode): readonly string[] {
  const { labels } = metadata;
  return Array.isArray(labels) ? labels.filter((each): each is string => typeof each === "string") : [];
}

/** Returns the owner of a task, or an empty text. */
export function ownerOf({ metadata }: SpecNode): string {
  const { owner } = metadata;
  return typeof owner === "string" ? owner : "";
}

/** Returns a function that finds the phase, or other child of the root, that contains a node. */
export function phaseLookup(model: SpecModel): (id: string) => SpecNode | undefined {
  let tops = phases.get(model.order);
  if (tops === undefined) {
    tops = new Map();
    for (const top of model.childrenOf(rootId)) for (const id of model.subtree(top.id)) tops.set(id, top.id);
    phases.set(model.order, tops);
  }
  return (id) => model.node(tops.get(id) ?? "");
}
/** Specs with the same nodes in the same order share the order, and so the phases. */
const phases = new WeakMap<readonly string[], Map<string, string>>();

/** Returns the tasks that a person works on: the leaves, in the order of work. */
export function tasksOf(model: SpecModel): readonly SpecNode[] {
  let tasks = leaves.get(model);
  if (tasks === undefined) {
    tasks = model.orderedNodes.filter(
      (node) => model.isLeaf(node) && node.type !== "phase" && node.type !== "group",
    );
    leaves.set(model, tasks);
  }
  return tasks;
}
const leaves = new WeakMap<SpecModel, readonly SpecNode[]>();

/** Counts the values by which the tasks of a spec can be filtered. */
export function filterValues(model: SpecModel): FilterValues {
  const known = values.get(model);
  if (known !== undefined) return known;
  const counts = { phase: new Map(), owner: new Map(), label: new Map(), priority: new Map() } as Record<
    keyof FilterValues,
    Map<string, number>
  >;
  const add = (map: Map<string, number>, value: string) => map.set(value, (map.get(value) ?? 0) + 1);
  const phaseOf = phaseLookup(model);
  for (const node of tasksOf(model)) {
    const phase = phaseOf(node.id);
    if (phase !== undefined && phase.id !== node.id) add(counts.phase, phase.id);
    if (ownerOf(node) !== "") add(counts.owner, ownerOf(node));
    for (const label of labelsOf(node)) add(counts.label, label);
    const priority = priorityOf(node.metadata);
    if (priority !== undefined) add(counts.priority, priority);
  }
  values.set(model, counts);
  return counts;
}
const values = new WeakMap<SpecModel, FilterValues>();

/** Returns a function that is true for the tasks that pass all filters; undefined if there is no filter. */
export function toFilter(model: SpecModel, query: Query): ((node: SpecNode) => boolean) | undefined {
  const { q = "", phase = "", owner = "", label = "", priority = "" } = query;
  const words = q
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0 && phase === "" && owner === "" && label === "" && priority === "") return undefined;
  const phaseOf = phaseLookup(model);
  return (node) => {
    if (phase !== "" && phaseOf(node.id)?.id !== phase) return false;
    if (owner !== "" && ownerOf(node) !== owner) return false;
    if (label !== "" && !labelsOf(node).includes(label)) return false;
    if (priority !== "" && priorityOf(node.metadata) !== priority) return false;
    if (words.length === 0) return true;
    const text = `${node.id} ${node.title} ${ownerOf(node)} ${labelsOf(node).join(" ")}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}
