import type { Dialect } from "@foundry-mcp/contract";
import { serveStdio } from "@foundry-mcp/toolkit/stdio";
import { createMatrixRegistry } from "./matrix-registry.ts";

// The server of this process uses the dialect that its argument names.
const [dialect] = process.argv.slice(2) as Dialect[];
serveStdio(createMatrixRegistry({ dialect }));
