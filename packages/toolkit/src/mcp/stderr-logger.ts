import { destination, pino } from "pino";
import type { Logger } from "../context/logger.ts";

/** Lines are gathered for so long, or until there are so many bytes: a write for each would cost more than the call. */
const gathering = { minLength: 4_096, periodicFlush: 100 };

/** Lines of JSON on stderr, written in the background and at the end; LOG_LEVEL sets how much is told. */
export function createStderrLogger(level: string = process.env["LOG_LEVEL"] ?? "info"): Logger {
  return pino({ level: isLevel(level) ? level : "info" }, destination({ fd: 2, sync: false, ...gathering }));
}

function isLevel(level: string): boolean {
  return level === "silent" || Object.hasOwn(pino.levels.values, level);
}
