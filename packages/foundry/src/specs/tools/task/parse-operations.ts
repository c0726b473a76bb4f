import type { BatchOperation } from "../../model/changes/batch-tasks.ts";
import { parseOperation } from "../authoring/operation.ts";
import { statusOperations } from "../authoring/task-operations.ts";
import { noReplace } from "../authoring/timed-replace.ts";

/** Reads the operations of a batch: changes of status alone. */
export function parseBatch(given: readonly { readonly op: string }[]): readonly BatchOperation[] {
  return given.map((each, index) => {
    const { op, operation, input } = parseOperation(statusOperations, each, index);
    return { op, task_id: String(input["task_id"]), plan: operation.plan(input as never, noReplace) };
  });
}
