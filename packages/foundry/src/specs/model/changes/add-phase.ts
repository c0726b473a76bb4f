import type { JsonObject, JsonValue } from "@foundry-mcp/contract";
import type { Edit } from "../../../files/json-text/edit.ts";
import type { Change, ChangeContext, Plan } from "../change.ts";
import { requireNode } from "../find-node.ts";
import { createIdSource, type IdSource } from "../new-ids.ts";
import { insertChildEdits, linkEdits } from "../node-edits.ts";
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
  return (spec, context): Change<PhaseResult> => {
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
    return finishPhase(spec, context, {
      id,
      created,
      marks: ids.marks,
      edits: [
        { op: "set", path: ["hierarchy", id], value: node },
        ...edits,
        ...insertChildEdits(root, [id], index),
        ...(link === undefined ? [] : linkEdits(link, "blocks", [id])),
      ],
      report: { title: phase.title, position: index, linked_previous: link?.id ?? null },
    });
  };
}

function finishPhase(
  spec: SpecModel,
  context: ChangeContext,
  {
    id,
    created,
    marks,
    edits,
    report,
  }: {
    readonly id: string;
    readonly created: readonly string[];
    readonly marks: IdSource["marks"];
    readonly edits: readonly Edit[];
    readonly report: Pick<PhaseResult, "title" | "position" | "linked_previous">;
  },
): Change<PhaseResult> {
  return finishChange(spec, context, {
    edits,
    touched: [id, ...created],
    marks,
    result: (after) => ({
      spec_id: spec.id,
      phase_id: id,
      ...report,
      tasks_created: created,
      total_tasks: after.tally(id).total,
    }),
  });
}

/** Returns the edits that create a tree of tasks, parents before children. */
function treeEdits(
  tasks: readonly WorkTree[],
  parent: string,
  ids: IdSource,
): {
  readonly edits: readonly Edit[];
  readonly children: readonly string[];
  readonly created: readonly string[];
} {
  const named = tasks.map((task) => ({ task, id: ids.next(parent, task.type ?? defaultType(parent)) }));
  const parts = named.map(({ task: { children = [], ...work }, id }) => {
    const below = treeEdits(children, id, ids);
    const value = toNodeDocument({
      type: work.type ?? defaultType(parent),
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

/** Tasks below a task are subtasks by default. */
function defaultType(parent: string): "task" | "subtask" {
  return parent.startsWith("phase") ? "task" : "subtask";
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
  const own: Readonly<Record<string, JsonValue | undefined>> = { purpose, description, estimated_hours };
  const given = Object.entries(own).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
  return { ...metadata, ...Object.fromEntries(given) };
}

function phaseBefore(spec: SpecModel, index: number): SpecNode | undefined {
  return spec
    .childrenOf(rootId)
    .slice(0, index)
    .findLast((node) => node.type === "phase");
}
