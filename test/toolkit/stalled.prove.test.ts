import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createRegistry, defineResource } from "@foundry-mcp/toolkit";
import { type RunningHttpServer, serveHttp } from "@foundry-mcp/toolkit/http";
import { afterEach, expect, it } from "vitest";
import { silentLogger } from "./silent-logger.ts";

const streamCount = 50;
const changeCount = 6_000;
const maxGrowthMiB = 100;
/** The URI of a resource. The URI is long, so that few changes produce many bytes. */
const uri = `x://${"r".repeat(900)}`;
const registry = createRegistry({
  name: "stalled",
  version: "1.0.0",
  resources: [defineResource({ uri, name: "r", read: () => "" })],
});

let server: RunningHttpServer;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
});

/** Opens a stream of notifications, reads the beginning of the stream, and then stops reading. */
async function stall(): Promise<void> {
  const socket = connect(server.port, "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => {});
  const params = {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "stalled", version: "1.0.0" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
    notifications: { resourceSubscriptions: [uri] },
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params });
  socket.write(
    [
      "POST /mcp HTTP/1.1",
      "Host: localhost",
      "Content-Type: application/json",
      "Accept: application/json, text/event-stream",
      "MCP-Protocol-Version: 2026-07-28",
      "Mcp-Method: subscriptions/listen",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "",
      body,
    ].join("\r\n"),
  );
  const [begun] = (await once(socket, "data")) as [Buffer];
  socket.pause();
  expect(begun.toString()).toContain("200 OK");
}

/** Returns the memory of the process in MiB, without the buffers of the operating system. */
function heldMiB(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}

it("clients that stop reading their streams do not make the server hold what they miss", async () => {
  server = await serveHttp(registry, { port: 0, logger: silentLogger, handleSignals: false, graceMs: 0 });
  for (let index = 0; index < streamCount; index++) await stall();
  const before = heldMiB();
  for (let index = 0; index < changeCount; index++) {
    registry.resourceChanged(uri);
    if (index % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  const grown = heldMiB() - before;
  const sent = (streamCount * changeCount * uri.length) / 2 ** 20;
  process.stdout.write(
    `${streamCount} streams that nobody reads missed ${sent.toFixed(0)} MiB; the server holds ${grown.toFixed(0)} MiB more\n`,
  );
  expect(grown).toBeLessThan(maxGrowthMiB);
});
