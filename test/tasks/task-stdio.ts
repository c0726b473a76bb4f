import { createMemoryJobs } from "@foundry-mcp/toolkit/jobs";
import { serveStdio } from "@foundry-mcp/toolkit/stdio";
import { silentLogger } from "../toolkit/silent-logger.ts";
import { createTaskRegistry } from "./task-tools.ts";

const jobs = createMemoryJobs({ limits: { pollIntervalMs: 20 } });
serveStdio(createTaskRegistry({ jobs, logger: silentLogger }));
