import type { Dialect } from "@foundry-mcp/contract";
import { serveStdio } from "@foundry-mcp/toolkit/stdio";
import { createMatrixRegistry } from "./matrix-registry.ts";

// A process that answers in the dialect of its argument.
const [dialect] = process.argv.slice(2) as Dialect[];
serveStdio(createMatrixRegistry({ dialect }));
