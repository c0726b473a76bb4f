import { serveStdio } from "@foundry-mcp/toolkit/stdio";
import { createStreamingRegistry } from "./streaming-tools.ts";

// A process of its own whose handlers can be watched from outside.
serveStdio(createStreamingRegistry());
