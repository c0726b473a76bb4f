import { serveStdio } from "@foundry-mcp/toolkit/stdio";
import { createStreamingRegistry } from "./streaming-tools.ts";

// The handlers of this process report their state to the tests.
serveStdio(createStreamingRegistry());
