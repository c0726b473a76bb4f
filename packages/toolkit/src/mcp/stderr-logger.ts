import { destination, pino } from "pino";
import type { Logger } from "../context/logger.ts";

/** Lines are buffered, since a write for each would cost more than the call. */
const buffering = { minLength: 4_096, periodicFlush: 100 };

/** Creates a logger that writes lines of JSON to stderr in the background; LOG_LEVEL sets the level. */
export function createStderrLogger(level: string = process.env["LOG_LEVEL"] ?? "info"): Logger {
  return pino({ level: isLevel(level) ? level : "info" }, destination({ fd: 2, sync: false, ...buffering }));
}

function isLevel(level: string): boolean {
  return level === "silent" || Object.hasOwn(pino.levels.values, level);
}
