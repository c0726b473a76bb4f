import type { UnknownRecord } from "@foundry-mcp/contract";
import type { Edit } from "../../../files/json-text/edit.ts";
import { rootId } from "../spec-document.ts";
import type { Tally } from "../spec-model.ts";
import type { SpecCheck } from "./check-context.ts";
import type { AddFinding } from "./diagnostics.ts";
import { missingField } from "./nodes.ts";
import { quote } from "./quote.ts";

/** Checks that the stored counts are equal to a full recount. */
export const checkCounts: SpecCheck = ({ nodes, model }, add) => {
  const reachable = new Set([rootId, ...model.order]);
  for (const [id, raw] of nodes) {
    const tally = model.tally(id);
    if (raw["total_tasks"] === undefined) add(missingField(id, "total_tasks", tally.total));
    if (raw["completed_tasks"] === undefined) add(missingField(id, "completed_tasks", tally.completed));
    const node = model.node(id);
    // Nodes that are not below the root are not counted. Another check reports these nodes.
    if (node === undefined || !reachable.has(id)) continue;
    compare(id, raw, tally, { isLeaf: model.isLeaf(node), isCounted: model.isCounted(node) }, add);
  }
};

function compare(
  id: string,
  { total_tasks: total, completed_tasks: completed }: UnknownRecord,
  tally: Tally,
  { isLeaf, isCounted }: { readonly isLeaf: boolean; readonly isCounted: boolean },
  add: AddFinding,
): void {
  const totalEdit = setCount(id, "total_tasks", tally.total);
  const completedEdit = setCount(id, "completed_tasks", tally.completed);
  if (typeof total === "number" && typeof completed === "number" && completed > total) {
    add({
      code: "COMPLETED_EXCEEDS_TOTAL",
      path: completedEdit.path,
      message: `${completed} tasks are completed of ${total}`,
      remedy: `Set completed_tasks to ${tally.completed} and total_tasks to ${tally.total}.`,
      edits: [
        ...(total === tally.total ? [] : [totalEdit]),
        ...(completed === tally.completed ? [] : [completedEdit]),
      ],
    });
    return;
  }
  if (total !== undefined && total !== tally.total)
    add({
      code: isLeaf ? "INVALID_LEAF_COUNT" : "TOTAL_TASKS_MISMATCH",
      path: totalEdit.path,
      message: `total_tasks is ${quote(total)}, a recount gives ${tally.total}`,
      remedy: `Set total_tasks to ${tally.total}.`,
      edits: [totalEdit],
    });
  if (completed !== undefined && completed !== tally.completed)
    add({
      code: isLeaf && !isCounted ? "INVALID_LEAF_COUNT" : "COMPLETED_TASKS_MISMATCH",
      path: completedEdit.path,
      message: `completed_tasks is ${quote(completed)}, a recount gives ${tally.completed}`,
      remedy: `Set completed_tasks to ${tally.completed}.`,
      edits: [completedEdit],
    });
}

function setCount(id: string, field: string, value: number): Extract<Edit, { op: "set" }> {
  return { op: "set", path: ["hierarchy", id, field], value };
}
