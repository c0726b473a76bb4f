import { ContractError, type Remedy, validationError } from "@foundry-mcp/contract";
import type { Plan } from "../change.ts";
import { findCycle } from "../dependencies.ts";
import { requireNode } from "../find-node.ts";
import { linkEdits, unlinkEdits } from "../node-edits.ts";
import { rootId } from "../spec-document.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";
import { unchanged } from "../unchanged.ts";
import { finishChange } from "./finish-change.ts";

/** A node and the node that it waits for. */
export interface DependencyInput {
  readonly task_id: string;
  /** The id of the blocker. */
  readonly depends_on: string;
}

/** The result of adding or removing a dependency. */
export interface DependencyResult extends DependencyInput {
  readonly spec_id: string;
  /** The task's own blockers after the change. */
  readonly blocked_by: readonly string[];
}

/** Adds a dependency between tasks or phases. */
export function addDependency({ task_id, depends_on }: DependencyInput): Plan<DependencyResult> {
  return (spec, context) => {
    const node = requireLinkable(spec, "task_id", task_id);
    const blocker = requireLinkable(spec, "depends_on", depends_on);
    const cycle = findCycle(spec, task_id, depends_on);
    const isListed = node.blockedBy.includes(depends_on);
    // If the file already contains the dependency, its cycle is not an error here, because validation reports
    // that cycle.
    if (cycle !== undefined && !isListed) throw circularDependency(spec, task_id, depends_on, cycle);
    const edits = [
      ...(isListed ? [] : linkEdits(node, "blocked_by", [depends_on])),
      ...(blocker.blocks.includes(task_id) ? [] : linkEdits(blocker, "blocks", [task_id])),
    ];
    const result = { spec_id: spec.id, task_id, depends_on };
    if (edits.length === 0)
      return unchanged(
        { ...result, blocked_by: node.blockedBy },
        `${task_id} waits for ${depends_on} already; nothing was changed`,
      );
    return finishChange(spec, context, {
      edits,
      touched: [],
      result: (after) => ({ ...result, blocked_by: requireNode(after, task_id).blockedBy }),
    });
  };
}

/** Removes a dependency between tasks or phases. */
export function removeDependency({ task_id, depends_on }: DependencyInput): Plan<DependencyResult> {
  return (spec, context) => {
    const node = requireNode(spec, task_id);
    const blocker = spec.node(depends_on);
    const isListed = node.blockedBy.includes(depends_on);
    // A file may contain a dependency on a missing node, or a dependency that only one of its two nodes
    // lists.
    if (blocker === undefined && !isListed) requireNode(spec, depends_on);
    const edits = [
      ...unlinkEdits(node, "blocked_by", (id) => id === depends_on),
      ...(blocker === undefined ? [] : unlinkEdits(blocker, "blocks", (id) => id === task_id)),
    ];
    const blocked_by = node.blockedBy.filter((id) => id !== depends_on);
    const result = { spec_id: spec.id, task_id, depends_on, blocked_by };
    if (edits.length === 0)
      return unchanged(result, `${task_id} does not wait for ${depends_on}; nothing was changed`);
    return finishChange(spec, context, { edits, touched: [], result: () => result });
  };
}

/** Returns the remedy for a cycle: the removal of one of its existing dependencies. */
export function howToBreak(
  spec: SpecModel,
  path: readonly string[],
): { readonly remediation: string; readonly remedy?: Remedy } {
  for (const [index, task_id] of path.entries()) {
    const target_id = path[index + 1];
    if (target_id === undefined || !spec.node(task_id)?.blockedBy.includes(target_id)) continue;
    const edge = { spec_id: spec.id, task_id, target_id };
    return {
      remediation: "Leave this change out, or remove another dependency of the cycle first: {1}.",
      remedy: { tool: "task", action: "remove-dependency", arguments: edge },
    };
  }
  return { remediation: "Leave this change out: two tasks cannot wait for each other." };
}

/** Creates the error of a dependency that would close a cycle. */
export function circularDependency(
  spec: SpecModel,
  task_id: string,
  depends_on: string,
  path: readonly string[],
): ContractError {
  return new ContractError(
    `Cannot let ${task_id} wait for ${depends_on}: that would close the cycle ${path.join(" → ")}`,
    {
      errorCode: "CIRCULAR_DEPENDENCY",
      ...howToBreak(spec, path),
      details: { spec_id: spec.id, task_id, depends_on, path },
    },
  );
}

/** Returns the node of an id; throws for the root, which cannot have dependencies. */
export function requireLinkable(spec: SpecModel, field: string, id: string): SpecNode {
  const node = requireNode(spec, id);
  if (node.id !== rootId) return node;
  throw validationError(
    { field, constraint: "task", received: id, expected: "the id of a task or phase" },
    { message: `Cannot use "${id}" as ${field}: it is the root of the spec, which cannot have dependencies` },
  );
}
