import type { BatchOperation } from "../../model/changes/batch-tasks.ts";
import { readOperation } from "../authoring/operation.ts";
import { statusOperations } from "../authoring/task-operations.ts";
import { replaceNothing } from "../authoring/timed-replace.ts";

/** Reads the operations of a batch: changes of status alone. */
export function parseOperations(given: readonly { readonly op: string }[]): readonly BatchOperation[] {
  return given.map((each, index) => {
    const { op, operation, input } = readOperation(statusOperations, each, index);
    return { op, task_id: String(input["task_id"]), plan: operation.plan(input as never, replaceNothing) };
  });
}
