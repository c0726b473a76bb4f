import type { Writable } from "node:stream";
import { internal } from "@foundry-mcp/contract";
import type { Transport } from "@modelcontextprotocol/server";
import { serveStdio as serveSdkStdio } from "@modelcontextprotocol/server/stdio";
import type { Logger } from "../context/logger.ts";
import { redirectWrites } from "../context/redirect-writes.ts";
import type { Registry } from "../registry/registry.ts";
import { createMcpHost, createMcpServer } from "./create-mcp-server.ts";
import { forwardChanges } from "./forward-changes.ts";
import { createStderrLogger } from "./stderr-logger.ts";
import { LineTransport } from "./stdio-transport.ts";
import { TaskTransport } from "./task-transport.ts";

/** The options of a server over stdio. */
export interface StdioOptions {
  /** @default a logger that writes to stderr: JSON lines, or text on a terminal */
  readonly logger?: Logger | undefined;
  /**
   * The key that signs the state that clients return with their answers; 32 bytes or more.
   * @default a new key for this process
   */
  readonly stateKey?: Uint8Array | string | undefined;
}

/** A server that runs until it is closed. */
export interface RunningServer {
  close(): Promise<void>;
}

/**
 * Serves a registry over stdin and stdout, to clients of the protocol versions 2025-06-18, 2025-11-25 and
 * 2026-07-28.
 *
 * @example
 * serveStdio(createRegistry({ name: "notes", version: "1.0.0", tools: [notes] }));
 */
export function serveStdio(registry: Registry, options: StdioOptions = {}): RunningServer {
  const logger = options.logger ?? registry.options.logger ?? createStderrLogger();
  const host = createMcpHost(registry, { surface: "stdio", logger, stateKey: options.stateKey });
  const { protocol, release } = reserveStdout();
  const running = serveSdkStdio(
    (request) => {
      const connection = createMcpServer(host, request);
      forwardChanges(registry, connection);
      return connection.mcp;
    },
    {
      transport: openTransport(registry, protocol),
      onerror: (err) => logger.warn({ err }, "stdio"),
    },
  );
  // A client that closes stdin ends its server. Running jobs would keep this process alive, so their leases are
  // released.
  const giveBack = (): void => {
    host.close().catch((err) => logger.warn({ err }, "jobs"));
  };
  process.stdin.once("end", giveBack).once("close", giveBack);
  return {
    async close() {
      process.stdin.off("end", giveBack).off("close", giveBack);
      await running.close();
      await host.close();
      release();
    },
  };
}

function openTransport(registry: Registry, protocol: Writable): Transport {
  const lines = new LineTransport(process.stdin, protocol);
  const { jobs } = registry.options;
  return jobs === undefined ? lines : new TaskTransport(lines, registry, jobs);
}

/** The standard output of a process, reserved for protocol messages. */
export interface ReservedStdout {
  readonly protocol: Writable;
  release(): void;
}

const reserved = new WeakSet<Writable>();

/**
 * Reserves stdout for the protocol. Output of handlers and libraries goes to stderr, because one stray line would
 * break the client's parser. A second server on the same stream is refused, because both servers would answer every
 * call.
 */
export function reserveStdout(
  stdout: Writable = process.stdout,
  stderr: Writable = process.stderr,
): ReservedStdout {
  if (reserved.has(stdout)) throw internal("Cannot serve over stdout: another server of this process does");
  reserved.add(stdout);
  const { write, restore } = redirectWrites(stdout, stderr);
  // An object that behaves like the stream itself, including its events, but has the original `write`.
  const protocol = Object.create(stdout, {
    write: { value: write, writable: true, configurable: true },
  }) as Writable;
  return {
    protocol,
    release() {
      restore();
      reserved.delete(stdout);
    },
  };
}
