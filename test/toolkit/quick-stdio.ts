import { serveStdio } from "@foundry-mcp/toolkit/stdio";
import { createMatrixRegistry, quickTools } from "./matrix-registry.ts";

// A process with the tools that answer at once, for many calls.
serveStdio(createMatrixRegistry({ tools: quickTools }));
