import type { ContractError } from "@foundry-mcp/contract";
import type { PreparedAction } from "../registry/prepared-tool.ts";
import { toFieldErrors } from "./field-errors.ts";
import { toolFault } from "./tool-fault.ts";

/** Holds a payload against the declared output: a promise that a handler breaks is a bug of the server. */
export function validateOutput(action: PreparedAction, payload: unknown): undefined | Promise<void> {
  const result = action.output?.["~standard"].validate(payload ?? {});
  if (result === undefined) return undefined;
  if (result instanceof Promise) {
    return result.then(({ issues }) => {
      if (issues !== undefined) throw brokenPromise(action, payload, issues);
    });
  }
  if (result.issues !== undefined) throw brokenPromise(action, payload, result.issues);
  return undefined;
}

function brokenPromise(
  { label }: PreparedAction,
  payload: unknown,
  issues: Parameters<typeof toFieldErrors>[0],
): ContractError {
  const errors = toFieldErrors(issues, payload).map(({ field, constraint }) => ({ field, constraint }));
  const fields = errors.slice(0, 5).map(({ field }) => field);
  return toolFault(`Cannot answer: ${label} does not keep its output schema at ${fields.join(", ")}`, {
    errors: errors.slice(0, 50),
  });
}
