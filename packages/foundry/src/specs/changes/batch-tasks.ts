import { ContractError, isContractError, validationError } from "@foundry-mcp/contract";
import type { Change, Plan } from "../change.ts";
import type { Edit } from "../edit.ts";
import { type BlockInput, blockTask } from "./block-task.ts";
import { type CompleteInput, completeTask } from "./complete-task.ts";
import { type ReopenInput, reopenTask } from "./reopen-task.ts";
import { type StartInput, startTask } from "./start-task.ts";
import type { StatusResult } from "./status-edits.ts";
import { type UnblockInput, unblockTask } from "./unblock-task.ts";
import { type UpdateStatusInput, updateStatus } from "./update-status.ts";

/** One step of a batch. */
export type BatchOperation =
  | ({ readonly op: "start" } & StartInput)
  | ({ readonly op: "complete" } & CompleteInput)
  | ({ readonly op: "block" } & BlockInput)
  | ({ readonly op: "unblock" } & UnblockInput)
  | ({ readonly op: "update-status" } & UpdateStatusInput)
  | ({ readonly op: "reopen" } & ReopenInput);

/** Steps to take one after the other. */
export interface BatchInput {
  readonly operations: readonly BatchOperation[];
  /** One that fails fails all. @default false */
  readonly atomic?: boolean | undefined;
}

/** A step that could not be taken. */
export interface BatchFailure {
  readonly task_id: string;
  readonly error: string;
  readonly error_code: string;
}

/** What is told of a batch. */
export interface BatchResult {
  readonly spec_id: string;
  /** Steps that were taken. */
  readonly processed: number;
  readonly failed: number;
  readonly results: readonly (StatusResult & { readonly op: string })[];
  readonly failures: readonly BatchFailure[];
}

/** Takes many steps as one change; each sees what those before it did. */
export function batchTasks({ operations, atomic = false }: BatchInput): Plan<BatchResult> {
  return (spec, context) => {
    if (operations.length === 0) throw validationError({ field: "operations", constraint: "required" });
    let current = spec;
    const edits: Edit[] = [];
    const results: (StatusResult & { readonly op: string })[] = [];
    const failures: BatchFailure[] = [];
    const warnings: string[] = [];
    for (const [index, operation] of operations.entries()) {
      const { op, task_id } = operation;
      const change = attempt(toPlan(operation), current, context);
      if (change instanceof Error) {
        if (atomic) throw asWhole(change, operation, index);
        failures.push({ task_id, error: change.message, error_code: change.code });
        continue;
      }
      results.push({ op, ...change.result });
      warnings.push(...(change.warnings ?? []));
      if (change.edits.length === 0) continue;
      edits.push(...change.edits);
      current = current.after(change.edits);
    }
    if (failures.length > 0) warnings.unshift(`${failures.length} of ${operations.length} operations failed`);
    return {
      edits,
      result: {
        spec_id: spec.id,
        processed: results.length,
        failed: failures.length,
        results,
        failures,
      },
      ...(warnings.length === 0 ? {} : { warnings }),
    };
  };
}

/** The plan of one step. */
export function toPlan(operation: BatchOperation): Plan<StatusResult> {
  switch (operation.op) {
    case "start":
      return startTask(operation);
    case "complete":
      return completeTask(operation);
    case "block":
      return blockTask(operation);
    case "unblock":
      return unblockTask(operation);
    case "update-status":
      return updateStatus(operation);
    case "reopen":
      return reopenTask(operation);
  }
}

function attempt(
  plan: Plan<StatusResult>,
  ...[spec, context]: Parameters<Plan<StatusResult>>
): Change<StatusResult> | ContractError {
  try {
    return plan(spec, context);
  } catch (error) {
    if (isContractError(error)) return error;
    throw error;
  }
}

function asWhole(error: ContractError, { op, task_id }: BatchOperation, index: number): ContractError {
  return new ContractError(`Cannot apply the batch, and nothing was changed: ${error.message}`, {
    ...error.options,
    details: { ...error.options.details, operation: { index, op, task_id } },
  });
}
