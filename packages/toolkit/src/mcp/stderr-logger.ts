import { isatty } from "node:tty";
import { createLazyLogger, isLogLevel } from "../context/lazy-logger.ts";
import type { Logger } from "../context/logger.ts";
import type { LogStream } from "../terminal/log-stream.ts";

const stderrFd = 2;
/** Buffers log lines, because a separate write for each line would cost more than the call. */
const buffering = { minLength: 4_096, periodicFlush: 100 };

/**
 * Creates a logger that writes to stderr: readable text if stderr is a terminal, otherwise JSON lines, written in
 * the background. LOG_LEVEL sets the level. The logger is loaded when it first has a line to write.
 */
export function createStderrLogger(level: string = process.env["LOG_LEVEL"] ?? "info"): Logger {
  const known = isLogLevel(level) ? level : "info";
  return createLazyLogger(known, () => loadLogger(known));
}

/**
 * Opens a logger that writes to stderr. On a terminal, the logger is loaded at once, so that its lines come before
 * what the program prints later.
 *
 * @example
 * const logger = await openStderrLogger("warn");
 */
export async function openStderrLogger(level: string): Promise<Logger> {
  return isatty(stderrFd) && isLogLevel(level) ? loadLogger(level) : createStderrLogger(level);
}

async function loadLogger(level: string): Promise<Logger> {
  // pino is a CommonJS module: in a bundle, only its default export exists.
  const { default: pino } = await import("pino");
  const logger: Logger = pino(
    { level },
    isatty(stderrFd) ? await openTextStream() : pino.destination({ fd: stderrFd, sync: false, ...buffering }),
  );
  return logger;
}

/** Loads the text formatter only for a terminal, because a server started by a client writes JSON. */
async function openTextStream(): Promise<LogStream> {
  const { createLogStream } = await import("../terminal/log-stream.ts");
  return createLogStream();
}
