import { serveStdio as serveStdioOf } from "@modelcontextprotocol/server/stdio";
import type { Logger } from "../context/logger.ts";
import type { Registry } from "../registry/registry.ts";
import { createMcpHost, createMcpServer } from "./create-mcp-server.ts";
import { forwardChanges } from "./forward-changes.ts";
import { createStderrLogger } from "./stderr-logger.ts";
import { LineTransport } from "./stdio-transport.ts";
import { takeStdout } from "./take-stdout.ts";

/** How a server is offered over stdio. */
export interface StdioOptions {
  /** @default lines of JSON on stderr */
  readonly logger?: Logger | undefined;
  /** 32 bytes or more: signs what clients keep between two rounds of a question. @default new for this process */
  readonly stateKey?: Uint8Array | string | undefined;
}

/** A server that runs until it is closed. */
export interface RunningServer {
  close(): Promise<void>;
}

/**
 * Serves a registry over stdin and stdout, to clients of 2025-06-18, 2025-11-25 and 2026-07-28.
 *
 * @example
 * serveStdio(createRegistry({ name: "notes", version: "1.0.0", tools: [notes] }));
 */
export function serveStdio(registry: Registry, options: StdioOptions = {}): RunningServer {
  const logger = options.logger ?? registry.options.logger ?? createStderrLogger();
  const host = createMcpHost(registry, { surface: "stdio", logger, stateKey: options.stateKey });
  const { protocol, release } = takeStdout();
  const running = serveStdioOf(
    (request) => {
      const connection = createMcpServer(host, request);
      forwardChanges(registry, connection);
      return connection.mcp;
    },
    {
      transport: new LineTransport(process.stdin, protocol),
      onerror: (err) => logger.warn({ err }, "stdio"),
    },
  );
  return {
    async close() {
      await running.close();
      release();
    },
  };
}
