import { lookup } from "node:dns/promises";
import type { Server } from "node:http";
import { type AddressInfo, isIPv6 } from "node:net";
import { internal } from "@foundry-mcp/contract";
import { createAdaptorServer } from "@hono/node-server";
import { createStderrLogger } from "../mcp/stderr-logger.ts";
import { requireAtLeast, requireWhole } from "../options/require-option.ts";
import type { Registry } from "../registry/registry.ts";
import { dropStalledResponses } from "./drop-stalled.ts";
import { createHttpApp, type HttpAppOptions } from "./http-app.ts";
import { isLoopbackName } from "./loopback.ts";
import { refuseOption } from "./refuse-option.ts";
import { trackResponses } from "./track-responses.ts";

/** The options of `serveHttp`: the address, and how the server stops. */
export interface HttpOptions extends HttpAppOptions {
  /** @default "127.0.0.1" */
  readonly host?: string | undefined;
  /** The port; 0 for any free port. @default 3000 */
  readonly port?: number | undefined;
  /** The time in milliseconds for which running calls may continue after `close`. @default 10,000 */
  readonly graceMs?: number | undefined;
  /** If true, SIGINT and SIGTERM close the server, and a second signal ends the process at once. @default true */
  readonly handleSignals?: boolean | undefined;
}

/** A server that runs until it is closed. */
export interface RunningHttpServer {
  readonly url: string;
  readonly port: number;
  /** Refuses new calls, waits up to the grace period for running calls, and stops. */
  close(): Promise<void>;
}

/**
 * Serves a registry over HTTP, to MCP clients of every protocol version at `/mcp` and to programs at `/api`.
 *
 * @example
 * const server = await serveHttp(registry, { port: 3000 });
 */
export async function serveHttp(registry: Registry, options: HttpOptions = {}): Promise<RunningHttpServer> {
  const { host = "127.0.0.1", port = 3_000, graceMs = 10_000, handleSignals = true } = options;
  requireWhole(0, 65_535, { port }, refuseOption);
  requireAtLeast(0, { graceMs }, refuseOption);
  if (!isLoopback(host)) requireProtection(host, options);
  // The system may resolve the name `localhost` to any address, so the resolved address is checked.
  const listenHost = host === "localhost" ? (await lookup(host)).address : host;
  if (!isLoopback(listenHost)) requireProtection(listenHost, options);
  const logger = options.logger ?? registry.options.logger ?? createStderrLogger();
  const app = createHttpApp(registry, { ...options, logger });
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  const responses = trackResponses(server);
  dropStalledResponses(server, stalledMs);
  await listen(server, port, listenHost);
  const address = server.address() as AddressInfo;
  const url = `http://${toUrlHost(address.address)}:${address.port}`;
  logger.info({ url }, "listening");

  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      app.drain();
      // The port stays open while the server waits for running calls: new calls are refused with Retry-After,
      // and /readyz gives the reason.
      const registries = [registry, ...Object.values(options.mounted ?? {})];
      await within(graceMs, Promise.all([...registries.map((each) => each.idle()), responses.sent()]));
      const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
      await app.close();
      // Some responses are still being written, so each connection is closed when it becomes idle. After a
      // second, the remaining connections are closed too.
      const closeIdle = setInterval(() => server.closeIdleConnections(), 20);
      const closeAll = setTimeout(() => server.closeAllConnections(), 1_000);
      await stopped;
      clearInterval(closeIdle);
      clearTimeout(closeAll);
      removeSignalHandlers();
      logger.info({ url }, "stopped");
    })();
    return closing;
  };
  const removeSignalHandlers = handleSignals ? onSignals(close) : () => {};
  return { url, port: address.port, close };
}

function isLoopback(host: string): boolean {
  return isLoopbackName(toUrlHost(host));
}

/** Formats a host for a URL: IPv6 addresses get brackets. */
function toUrlHost(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

/** Throws unless a server that other machines can reach has tokens and the host names under which clients call it. */
function requireProtection(host: string, { tokens, allowedHosts }: HttpOptions): void {
  const missing = Object.entries({ tokens, allowedHosts }).filter(([, value]) => value === undefined);
  if (missing.length === 0) return;
  const names = missing.map(([name]) => name).join(" and ");
  throw internal(`Cannot listen on "${host}", which others can reach, without ${names}`, {
    remediation:
      "Name who may call in tokens and the host names it may be called by in allowedHosts, or listen on 127.0.0.1.",
    details: { field: "host" },
  });
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** The time in milliseconds for which a client may leave a response unread. */
const stalledMs = 60_000;

/**
 * The maximum delay of a timer, about 24 days. A longer delay would overflow, and the timer would fire at
 * once.
 */
const maxTimerMs = 2 ** 31 - 1;

/** Waits for work up to a time limit. The timer keeps the process alive, so that the rest of `close` still runs. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, Math.min(milliseconds, maxTimerMs));
  });
  await Promise.race([work, timeout]);
  clearTimeout(timer);
}

/** Calls `close` on the first signal; the second signal reaches the default handler, which ends the process. */
function onSignals(close: () => Promise<void>): () => void {
  const signals = ["SIGINT", "SIGTERM"] as const;
  const handle = (): void => void close();
  const remove = (): void => {
    for (const signal of signals) process.off(signal, handle);
  };
  for (const signal of signals) process.once(signal, handle);
  return remove;
}
