import type { Logger } from "@foundry-mcp/toolkit";
import { pino } from "pino";

/** A logger that keeps the log lines of a server out of the test report. */
export const silentLogger: Logger = pino({ level: "silent" });
