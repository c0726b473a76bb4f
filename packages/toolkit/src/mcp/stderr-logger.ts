import { destination, pino } from "pino";
import type { Logger } from "../context/logger.ts";

/** Lines of JSON on stderr, written in the background; LOG_LEVEL sets how much is told. */
export function createStderrLogger(level: string = process.env["LOG_LEVEL"] ?? "info"): Logger {
  return pino({ level: isLevel(level) ? level : "info" }, destination({ fd: 2, sync: false }));
}

function isLevel(level: string): boolean {
  return level === "silent" || Object.hasOwn(pino.levels.values, level);
}
