import { serveStdio } from "@foundry-mcp/toolkit/stdio";
import { createStreamingRegistry } from "./streaming-tools.ts";

// A process whose handlers report their state to the tests.
serveStdio(createStreamingRegistry());
