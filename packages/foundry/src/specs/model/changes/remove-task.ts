import { ContractError } from "@foundry-mcp/contract";
import type { Edit } from "../../../files/json-text/edit.ts";
import type { Plan } from "../change.ts";
import { listIds, requireTask } from "../find-node.ts";
import { highestNumbers } from "../new-ids.ts";
import { removeChildEdits, unlinkEdits } from "../node-edits.ts";
import { rootId } from "../spec-document.ts";
import { type Progress, progressOf, type SpecModel, type SpecNode } from "../spec-model.ts";
import { finishChange } from "./finish-change.ts";

/** The task to remove. */
export interface RemoveInput {
  readonly task_id: string;
  /** With all that is below it. @default false */
  readonly cascade?: boolean | undefined;
}

/** What is told of a removal. */
export interface RemoveResult {
  readonly spec_id: string;
  readonly task_id: string;
  readonly title: string;
  readonly parent: string | null;
  readonly children_removed: number;
  /** Tasks that counted towards progress. */
  readonly total_tasks_removed: number;
  readonly dependencies_removed: number;
  readonly progress: Progress;
}

/** Removes a task, and every dependency on it; its id is not given again. */
export function removeTask({ task_id, cascade = false }: RemoveInput): Plan<RemoveResult> {
  return (spec, context) => {
    const node = requireTask(spec, task_id, "remove");
    if (!cascade) requireChildless(spec, node);
    const { edits, gone, holders, dependencies } = removalEdits(spec, node.id);
    return finishChange(spec, context, {
      edits,
      touched: [node.id, ...holders],
      marks: highestNumbers(gone),
      result: (after) => ({
        spec_id: spec.id,
        task_id,
        title: node.title,
        parent: node.parent,
        children_removed: gone.size - 1,
        total_tasks_removed: spec.tally(task_id).total,
        dependencies_removed: dependencies,
        progress: progressOf(after.tally(rootId)),
      }),
    });
  };
}

/** What takes a node and all below it out of a spec. */
export interface Removal {
  readonly edits: readonly Edit[];
  readonly gone: ReadonlySet<string>;
  /** Those that had one of them as a child. */
  readonly holders: readonly string[];
  /** How many entries of lists of dependencies go with them. */
  readonly dependencies: number;
}

/** Takes a node and all below it out of a spec, and out of every list that names one of them. */
export function removalEdits(spec: SpecModel, id: string): Removal {
  const gone = spec.subtree(id);
  const isGone = (each: string) => gone.has(each);
  const staying = spec.ids.flatMap((each) => (gone.has(each) ? [] : (spec.node(each) ?? [])));
  const holders = staying.filter(({ children }) => children.some(isGone));
  const links = staying.flatMap((node) =>
    (["blocked_by", "blocks", "depends"] as const).flatMap((list) => unlinkEdits(node, list, isGone)),
  );
  const edits = [
    ...holders.flatMap((node) => removeChildEdits(node, isGone)),
    ...links,
    ...[...gone].map((each): Edit => ({ op: "remove", path: ["hierarchy", each] })),
  ];
  return { edits, gone, holders: holders.map((node) => node.id), dependencies: links.length };
}

function requireChildless(spec: SpecModel, node: SpecNode): void {
  const children = spec.childrenOf(node.id);
  if (children.length === 0) return;
  throw new ContractError(`Cannot remove ${node.id}: it has ${children.length} children`, {
    errorCode: "INVALID_STATE",
    remediation: `Pass cascade: true to remove it with ${listIds(children)} and all that is below, or remove those first.`,
    details: { task_id: node.id, children: children.slice(0, 20).map(({ id }) => id) },
  });
}
