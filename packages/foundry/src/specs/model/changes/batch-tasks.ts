import { ContractError, isContractError, validationError } from "@foundry-mcp/contract";
import type { Plan } from "../change.ts";
import { createChangeSequence } from "./change-sequence.ts";
import type { StatusResult } from "./status-edits.ts";

/** One step of a batch. */
export interface BatchOperation {
  readonly op: string;
  readonly task_id: string;
  readonly plan: Plan<StatusResult>;
}

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
    const sequence = createChangeSequence(spec, context);
    const results: (StatusResult & { readonly op: string })[] = [];
    const failures: BatchFailure[] = [];
    for (const [index, { op, task_id, plan }] of operations.entries()) {
      try {
        results.push({ op, ...sequence.run(plan) });
      } catch (error) {
        if (!isContractError(error)) throw error;
        if (atomic) throw asWhole(error, { index, op, task_id });
        failures.push({ task_id, error: error.message, error_code: error.code });
      }
    }
    const { length: failed } = failures;
    return sequence.finish(
      { spec_id: spec.id, processed: results.length, failed, results, failures },
      failed === 0 ? [] : [`${failed} of ${operations.length} operations failed`],
    );
  };
}

function asWhole(
  error: ContractError,
  operation: { readonly index: number; readonly op: string; readonly task_id: string },
): ContractError {
  return new ContractError(`Cannot apply the batch, and nothing was changed: ${error.message}`, {
    ...error.options,
    details: { ...error.options.details, operation },
  });
}
