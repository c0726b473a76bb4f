import type { Logger } from "@foundry-mcp/toolkit";
import { pino } from "pino";

/** Keeps the lines of a server out of the report of the tests. */
export const silentLogger: Logger = pino({ level: "silent" });
