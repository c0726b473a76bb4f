import { isContractError } from "@foundry-mcp/contract";

/** The interface of a structured logger; pino implements it. */
export interface Logger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
  child(facts: object): Logger;
  /** True when a line of this level would be written. @default true */
  isLevelEnabled?(level: "debug" | "info" | "warn" | "error"): boolean;
}

const ignore = (): void => {};

/** A logger that writes nothing, for registries without a logger. */
export const silentLogger: Logger = {
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  child: () => silentLogger,
  isLevelEnabled: () => false,
};

/**
 * Logs a failure as an error if the server caused it, and as a warning if the caller can correct it. The
 * thrown value is included, because responses never contain it.
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
    // The thrown value may throw again when the logger reads its members.
    logger[level](facts, event);
  }
}
