import { createMemoryJobs } from "@foundry-mcp/toolkit/jobs";
import { serveStdio } from "@foundry-mcp/toolkit/stdio";
import { createBenchRegistry } from "./bench-registry.ts";

serveStdio(createBenchRegistry({ jobs: createMemoryJobs() }));
