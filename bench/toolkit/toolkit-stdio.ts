import { serveStdio } from "@foundry-mcp/toolkit/stdio";
import { createBenchRegistry } from "./bench-registry.ts";

serveStdio(createBenchRegistry());
