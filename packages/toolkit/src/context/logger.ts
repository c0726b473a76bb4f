import { isContractError } from "@foundry-mcp/contract";

/** What a log must offer; pino does. */
export interface Logger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
  child(facts: object): Logger;
  /** Whether a line of this level would be written. @default yes */
  isLevelEnabled?(level: "debug" | "info" | "warn" | "error"): boolean;
}

const ignore = (): void => {};

/** Says nothing: the log of a registry that was given none. */
export const silentLogger: Logger = {
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  child: () => silentLogger,
  isLevelEnabled: () => false,
};

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
