import type { Server } from "node:http";
import { type AddressInfo, isIPv4, isIPv6 } from "node:net";
import { internal } from "@foundry-mcp/contract";
import { createAdaptorServer } from "@hono/node-server";
import { createStderrLogger } from "../mcp/stderr-logger.ts";
import type { Registry } from "../registry/registry.ts";
import { loopbackNames } from "./gate.ts";
import { createHttpApp, type HttpAppOptions } from "./http-app.ts";
import { requireAtLeast, requireWhole } from "./check-options.ts";
import { watchAnswers } from "./track-responses.ts";

/** Where a server listens. */
export interface HttpOptions extends HttpAppOptions {
  /** @default "127.0.0.1" */
  readonly host?: string | undefined;
  /** 0 takes any free port. @default 3000 */
  readonly port?: number | undefined;
  /** How long calls may still run after `close`. @default 10,000 */
  readonly graceMs?: number | undefined;
  /** Close on SIGINT and SIGTERM; a second signal ends the process at once. @default true */
  readonly handleSignals?: boolean | undefined;
}

/** A server that runs until it is closed. */
export interface RunningHttpServer {
  readonly url: string;
  readonly port: number;
  /** Refuses new work, finishes what runs, and stops; what then still runs is cut off. */
  close(): Promise<void>;
}

/**
 * Serves a registry over HTTP, to MCP clients of every revision at `/mcp` and to programs at `/api`.
 *
 * @example
 * const server = await serveHttp(registry, { port: 3000 });
 */
export async function serveHttp(registry: Registry, options: HttpOptions = {}): Promise<RunningHttpServer> {
  const { host = "127.0.0.1", port = 3_000, graceMs = 10_000, handleSignals = true } = options;
  requireWhole(0, 65_535, { port });
  requireAtLeast(0, { graceMs });
  if (!isLoopback(host)) requireProtection(host, options);
  const logger = options.logger ?? registry.options.logger ?? createStderrLogger();
  const allowedHosts = options.allowedHosts ?? [...new Set([...loopbackNames, toName(host)])];
  const app = createHttpApp(registry, { ...options, allowedHosts, logger });
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  const answers = watchAnswers(server);
  await listen(server, port, host);
  const address = server.address() as AddressInfo;
  const url = `http://${toName(address.address)}:${address.port}`;
  logger.info({ url }, "listening");

  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      app.drain();
      // The port stays open meanwhile: who calls now is told to come back, and /readyz says why.
      await within(graceMs, Promise.all([registry.idle(), answers.sent()]));
      const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
      await app.close();
      // Answers are on their way: connections go as they fall idle, the rest when the grace is over.
      const ending = setInterval(() => server.closeIdleConnections(), 20);
      const last = setTimeout(() => server.closeAllConnections(), 1_000);
      await stopped;
      clearInterval(ending);
      clearTimeout(last);
      forgetSignals();
      logger.info({ url }, "stopped");
    })();
    return closing;
  };
  const forgetSignals = handleSignals ? onSignals(close) : () => {};
  return { url, port: address.port, close };
}

function isLoopback(host: string): boolean {
  return loopbackNames.includes(host) || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}

/** A host as it stands in a URL. */
function toName(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

/** What others can reach must know who calls, and by which name. */
function requireProtection(host: string, { tokens, allowedHosts }: HttpOptions): void {
  const missing = Object.entries({ tokens, allowedHosts }).filter(([, value]) => value === undefined);
  if (missing.length === 0) return;
  const names = missing.map(([name]) => name).join(" and ");
  throw internal(`Cannot listen on "${host}", which others can reach, without ${names}`, {
    remediation:
      "Name who may call in tokens and the host names it may be called by in allowedHosts, or listen on 127.0.0.1.",
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

/** A longer time would be none at all: 24 days. */
const longestTimer = 2 ** 31 - 1;

/** Waits for work, but only so long. The timer holds the process: what stands after `close` must still run. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, Math.min(milliseconds, longestTimer));
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

/** Closes on the first signal; the next one finds the default again and ends the process. */
function onSignals(close: () => Promise<void>): () => void {
  const signals = ["SIGINT", "SIGTERM"] as const;
  const handle = (): void => void close();
  const forget = (): void => {
    for (const signal of signals) process.off(signal, handle);
  };
  for (const signal of signals) process.once(signal, handle);
  return forget;
}
