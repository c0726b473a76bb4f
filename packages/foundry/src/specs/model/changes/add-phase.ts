import type { JsonObject } from "@foundry-mcp/contract";
import type { Edit } from "../../../files/json-text/edit.ts";
import type { Plan } from "../change.ts";
import { requireNode } from "../find-node.ts";
import { createIdSource, type IdSource } from "../new-ids.ts";
import { definedValues, insertChildEdits, linkEdits } from "../node-edits.ts";
import { rootId } from "../spec-document.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";
import { requireHours, requireRoom, requireText, requireTexts, requireTitle } from "../text-limits.ts";
import { finishChange } from "./finish-change.ts";
import { requirePosition, requireWork, toNodeDocument, type WorkInput, workMetadata } from "./new-node.ts";

/** The phase to add. */
export interface PhaseInput {
  readonly title: string;
  readonly description?: string | undefined;
  readonly purpose?: string | undefined;
  readonly estimated_hours?: number | undefined;
  readonly metadata?: JsonObject | undefined;
  /** The index among the phases, from 0. @default the end */
  readonly position?: number | undefined;
  /** Whether the phase waits for the one before it. @default true at the end, else false */
  readonly link_previous?: boolean | undefined;
}

/** A task of a new phase, with its subtasks. */
export interface WorkTree extends WorkInput {
  readonly children?: readonly WorkTree[] | undefined;
}

/** The result of adding a phase. */
export interface PhaseResult {
  readonly spec_id: string;
  readonly phase_id: string;
  readonly title: string;
  readonly position: number;
  /** The phase before it, if it waits for that one. */
  readonly linked_previous: string | null;
  readonly tasks_created: readonly string[];
  readonly total_tasks: number;
}

/** Adds a phase without tasks. */
export function addPhase(phase: PhaseInput): Plan<PhaseResult> {
  return addPhaseBulk({ phase, tasks: [] });
}

/** Adds a phase with all its tasks in one change. */
export function addPhaseBulk({
  phase,
  tasks,
}: {
  readonly phase: PhaseInput;
  readonly tasks: readonly WorkTree[];
}): Plan<PhaseResult> {
  return (spec, context) => {
    requirePhaseInput(phase);
    requireRoom(spec, 1 + requireTrees(tasks, "tasks"));
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

/** Returns the edits that create a tree of tasks, parents before children. */
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

/** Counts the nodes of the trees; throws for one beyond the limits. */
function requireTrees(tasks: readonly WorkTree[], path: string): number {
  return tasks.reduce((count, { children = [], ...work }, index) => {
    requireWork(work, `${path}[${index}].`);
    return count + 1 + requireTrees(children, `${path}[${index}].children`);
  }, 0);
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
