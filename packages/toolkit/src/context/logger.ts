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
