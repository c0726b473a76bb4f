import { ContractError, isContractError, validationError } from "@foundry-mcp/contract";
import type { Plan } from "../change.ts";
import { createChangeSequence } from "./change-sequence.ts";
import type { StatusResult } from "./status-edits.ts";

/** One operation of a batch. */
export interface BatchOperation {
  readonly op: string;
  readonly task_id: string;
  readonly plan: Plan<StatusResult>;
}

/** The operations of a batch, in order. */
export interface BatchInput {
  readonly operations: readonly BatchOperation[];
  /** Undo all operations if one fails. @default false */
  readonly atomic?: boolean | undefined;
}

/** A failed operation of a batch. */
export interface BatchFailure {
  readonly task_id: string;
  readonly error: string;
  readonly error_code: string;
}

/** The result of a batch. */
export interface BatchResult {
  readonly spec_id: string;
  /** The number of operations that succeeded. */
  readonly processed: number;
  readonly failed: number;
  readonly results: readonly (StatusResult & { readonly op: string })[];
  readonly failures: readonly BatchFailure[];
}

/** Applies many status changes as one change. Each operation sees the results of the operations before it. */
export function batchTasks({ operations, atomic = false }: BatchInput): Plan<BatchResult> {
  return (spec, context) => {
    if (operations.length === 0)
      throw validationError({ field: "operations", constraint: "required", received: operations });
    const sequence = createChangeSequence(spec, context);
    const results: (StatusResult & { readonly op: string })[] = [];
    const failures: BatchFailure[] = [];
    const errors: ContractError[] = [];
    for (const [index, { op, task_id, plan }] of operations.entries()) {
      try {
        results.push({ op, ...sequence.run(plan) });
      } catch (error) {
        if (!isContractError(error)) throw error;
        if (atomic) throw withOperation(error, { index, op, task_id });
        errors.push(error);
        failures.push({ task_id, error: error.message, error_code: error.code });
      }
    }
    const { length: failed } = failures;
    const result = { spec_id: spec.id, processed: results.length, failed, results, failures };
    if (results.length === 0) throw allFailed(result, errors);
    return sequence.finish(result);
  };
}

/**
 * Creates the error of a batch in which all operations failed. If all failures have the same error code, the
 * error has this code too.
 */
function allFailed({ results: _, ...details }: BatchResult, errors: readonly ContractError[]): ContractError {
  const [first] = errors;
  const codes = new Set(errors.map(({ code }) => code));
  const count = errors.length === 1 ? "its only operation failed" : `all ${errors.length} operations failed`;
  return new ContractError(`Cannot apply the batch, and nothing was changed: ${count}: ${first?.message}`, {
    errorCode: codes.size === 1 ? first?.code : "VALIDATION_ERROR",
    remediation: first?.options.remediation,
    remedy: first?.options.remedy,
    details: { ...first?.options.details, ...details },
  });
}

function withOperation(
  error: ContractError,
  operation: { readonly index: number; readonly op: string; readonly task_id: string },
): ContractError {
  return new ContractError(`Cannot apply the batch, and nothing was changed: ${error.message}`, {
    ...error.options,
    details: { ...error.options.details, operation },
  });
}
