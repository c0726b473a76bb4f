import type { ContractError } from "@foundry-mcp/contract";
import type { PreparedAction } from "../catalogue/prepared-tool.ts";
import { toolFault } from "../context/tool-fault.ts";
import { toFieldErrors } from "../schema/field-errors.ts";

/** Validates a payload against the declared output; a mismatch is a bug of the server. */
export function validateOutput(action: PreparedAction, payload: unknown): undefined | Promise<void> {
  const result = action.output?.["~standard"].validate(payload ?? {});
  if (result === undefined) return undefined;
  if (result instanceof Promise) {
    return result.then(({ issues }) => {
      if (issues !== undefined) throw invalidOutput(action, payload, issues);
    });
  }
  if (result.issues !== undefined) throw invalidOutput(action, payload, result.issues);
  return undefined;
}

function invalidOutput(
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
