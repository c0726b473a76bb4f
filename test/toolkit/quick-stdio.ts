import { serveStdio } from "@foundry-mcp/toolkit/stdio";
import { createMatrixRegistry, quickTools } from "./matrix-registry.ts";

// This process has the tools that respond without delay, for many calls.
serveStdio(createMatrixRegistry({ tools: quickTools }));
