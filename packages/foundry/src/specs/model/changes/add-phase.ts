import type { JsonObject } from "@foundry-mcp/contract";
import type { Edit } from "../../../files/json-text/edit.ts";
import type { Plan } from "../change.ts";
import { requireNode } from "../find-node.ts";
import { createIdSource, type IdSource } from "../new-ids.ts";
import { definedValues, insertChildEdits, linkEdits } from "../node-edits.ts";
import type { DependencyName } from "../resolve-dependency.ts";
import { rootId } from "../spec-document.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";
import { requireHours, requireRoom, requireText, requireTexts, requireTitle } from "../text-limits.ts";
import { type CreatedNode, toCreatedNodes } from "./created-nodes.ts";
import { finishChange } from "./finish-change.ts";
import { dependencyNames, withDependencies } from "./link-tasks.ts";
import { requirePosition, requireWork, toNodeDocument, type WorkInput, workMetadata } from "./new-node.ts";

/** The phase to add. */
export interface PhaseInput {
  readonly title: string;
  readonly description?: string | undefined;
  readonly purpose?: string | undefined;
  readonly estimated_hours?: number | undefined;
  readonly metadata?: JsonObject | undefined;
  /** The index of the phase among the phases, counted from 0. @default the end */
  readonly position?: number | undefined;
  /**
   * Make the phase wait for the previous phase.
   * @default true if the phase is added at the end, else false
   */
  readonly link_previous?: boolean | undefined;
}

/** A task of a new phase, with its subtasks. */
export interface WorkTree extends WorkInput {
  /** The ids or titles of the task's blockers. */
  readonly depends_on?: readonly string[] | undefined;
  readonly children?: readonly WorkTree[] | undefined;
}

/** The result of adding a phase. */
export interface PhaseResult {
  readonly spec_id: string;
  readonly phase_id: string;
  readonly title: string;
  readonly position: number;
  /** The id of the previous phase if the new phase waits for it, else null. */
  readonly linked_previous: string | null;
  readonly tasks_created: readonly string[];
  /** The phase and its tasks; parents come before their children. */
  readonly created_nodes: readonly CreatedNode[];
  readonly total_tasks: number;
}

/** Adds a phase without tasks. */
export function addPhase(phase: PhaseInput): Plan<PhaseResult> {
  return addPhaseBulk({ phase, tasks: [] });
}

/** A new phase and its tasks. */
export interface PhaseBulkInput {
  readonly phase: PhaseInput;
  readonly tasks: readonly WorkTree[];
}

/** Adds a phase with all its tasks in one change. The tasks may depend on each other. */
export function addPhaseBulk(input: PhaseBulkInput): Plan<PhaseResult> {
  return (spec, context) => {
    const change = addUnlinkedPhase(input)(spec, context);
    const names = treeDependencies(input.tasks, change.result.tasks_created, "tasks");
    return withDependencies(spec, context, change, names);
  };
}

/**
 * Returns the dependencies that the tasks of a new phase name in `depends_on`. `ids` contains the ids of
 * these tasks.
 */
export function treeDependencies(
  tasks: readonly WorkTree[],
  ids: readonly string[],
  path: string,
): readonly DependencyName[] {
  return flattenTrees(tasks, path).flatMap(({ task, at }, index) =>
    dependencyNames(ids[index] ?? "", task.depends_on, `${at}.`),
  );
}

/**
 * Adds a phase with its tasks, but without the dependencies of the tasks. `path` is the path of the tasks in
 * the parameters.
 */
export function addUnlinkedPhase({ phase, tasks }: PhaseBulkInput, path = "tasks"): Plan<PhaseResult> {
  return (spec, context) => {
    requirePhaseInput(phase);
    requireRoom(spec, 1 + requireTrees(tasks, path));
    const root = requireNode(spec, rootId);
    const index = requirePosition(phase.position, root.children.length);
    const previous = phaseBefore(spec, index);
    const isLinked = phase.link_previous ?? index === root.children.length;
    const link = isLinked ? previous : undefined;
    const ids = createIdSource(spec, context.marks);
    const id = ids.next(rootId, "phase");
    const { edits, children, created } = treeEdits(tasks, id, ids);
    const node = toNodeDocument({
      type: "phase",
      title: phase.title,
      parent: rootId,
      children,
      metadata: phaseMetadata(phase),
      blockedBy: link === undefined ? [] : [link.id],
    });
    return finishChange(spec, context, {
      edits: [
        { op: "set", path: ["hierarchy", id], value: node },
        ...edits,
        ...insertChildEdits(root, [id], index),
        ...(link === undefined ? [] : linkEdits(link, "blocks", [id])),
      ],
      touched: [id, ...created],
      marks: ids.marks,
      result: (after) => ({
        spec_id: spec.id,
        phase_id: id,
        title: phase.title,
        position: index,
        linked_previous: link?.id ?? null,
        tasks_created: created,
        created_nodes: toCreatedNodes(after, [id, ...created]),
        total_tasks: after.tally(id).total,
      }),
    });
  };
}

interface NewTree {
  readonly edits: readonly Edit[];
  readonly children: readonly string[];
  readonly created: readonly string[];
}

/** Returns the edits that create a tree of tasks; parents come before their children. */
function treeEdits(tasks: readonly WorkTree[], parent: string, ids: IdSource): NewTree {
  // Tasks below a task are subtasks by default.
  const usual = parent.startsWith("phase") ? "task" : "subtask";
  const named = tasks.map((task) => ({ task, id: ids.next(parent, task.type ?? usual) }));
  const parts = named.map(({ task: { children = [], ...work }, id }) => {
    const below = treeEdits(children, id, ids);
    const value = toNodeDocument({
      type: work.type ?? usual,
      title: work.title,
      parent,
      children: below.children,
      metadata: workMetadata(work),
    });
    const edit: Edit = { op: "set", path: ["hierarchy", id], value };
    return { edits: [edit, ...below.edits], created: [id, ...below.created] };
  });
  return {
    edits: parts.flatMap(({ edits }) => edits),
    children: named.map(({ id }) => id),
    created: parts.flatMap(({ created }) => created),
  };
}

/** Counts the nodes of the trees. Throws if a value of a node is beyond the limits. */
function requireTrees(tasks: readonly WorkTree[], path: string): number {
  const all = flattenTrees(tasks, path);
  for (const { task, at } of all) {
    const { children: _, ...work } = task;
    requireWork(work, `${at}.`);
  }
  return all.length;
}

/** Returns all tasks of the trees with their paths, in the order in which their nodes are created. */
function flattenTrees(
  tasks: readonly WorkTree[],
  path: string,
): readonly { readonly task: WorkTree; readonly at: string }[] {
  return tasks.flatMap((task, index) => {
    const at = `${path}[${index}]`;
    return [{ task, at }, ...flattenTrees(task.children ?? [], `${at}.children`)];
  });
}

function requirePhaseInput({ title, description, purpose, estimated_hours, metadata }: PhaseInput): void {
  requireTitle("title", title);
  requireText("description", description);
  requireText("purpose", purpose);
  requireHours("estimated_hours", estimated_hours);
  requireTexts("metadata", metadata);
}

function phaseMetadata({ purpose = "", description, estimated_hours, metadata }: PhaseInput): JsonObject {
  return { ...metadata, ...definedValues({ purpose, description, estimated_hours }) };
}

function phaseBefore(spec: SpecModel, index: number): SpecNode | undefined {
  return spec
    .childrenOf(rootId)
    .slice(0, index)
    .findLast((node) => node.type === "phase");
}
