import { serveStdio } from "@foundry-mcp/toolkit/stdio";
import { createMatrixRegistry, quickTools } from "./matrix-registry.ts";

// A process of its own with the tools that answer at once: many calls can be thrown at it.
serveStdio(createMatrixRegistry({ tools: quickTools }));
