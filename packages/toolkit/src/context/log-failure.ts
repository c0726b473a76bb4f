import { isContractError } from "@foundry-mcp/contract";
import type { Logger } from "./logger.ts";

/**
 * Writes the line of a failure: a fault of ours is an error, one that the caller can mend a warning.
 * What was thrown unawares goes with it, for the log is the only place that may tell it.
 */
export function logFailure(
  logger: Logger,
  event: string,
  facts: { readonly error_code: string; readonly request_id: string },
  thrown: unknown,
): void {
  const level = facts.error_code === "INTERNAL_ERROR" ? "error" : "warn";
  const cause = isContractError(thrown) ? (thrown.cause ?? (level === "error" ? thrown : undefined)) : thrown;
  try {
    logger[level](cause === undefined ? facts : { ...facts, err: cause }, event);
  } catch {
    // What was thrown may throw again when a log looks into it.
    logger[level](facts, event);
  }
}
