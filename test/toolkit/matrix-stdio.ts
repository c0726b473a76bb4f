import type { Dialect } from "@foundry-mcp/contract";
import { serveStdio } from "@foundry-mcp/toolkit/stdio";
import { createMatrixRegistry } from "./matrix-registry.ts";

// A process of its own: the tests spawn it in the dialect that they want to hear.
const [dialect] = process.argv.slice(2) as Dialect[];
serveStdio(createMatrixRegistry({ dialect }));
