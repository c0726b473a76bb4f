// Serves a registry over stdin and stdout.
export { type RunningServer, type StdioOptions, serveStdio } from "./mcp/serve-stdio.ts";
export { openStderrLogger } from "./mcp/stderr-logger.ts";
