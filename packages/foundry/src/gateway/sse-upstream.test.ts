import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it, vi } from "vitest";
import { openTestGateway, type TestGateway } from "./testing/open-test-gateway.ts";

let server: Server;
let gateway: TestGateway | undefined;
/** The open event streams by session id. */
const streams = new Map<string, ServerResponse>();
afterEach(async () => {
  await gateway?.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/**
 * Starts a server with the HTTP+SSE transport of protocol version 2024-11-05. The server rejects sessions without an
 * initialize request.
 */
async function start(): Promise<string> {
  const initialized = new Set<string>();
  server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    if (pathname === "/sse") {
      const session = String(streams.size);
      streams.set(session, response);
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      return void response.write(`event: endpoint\ndata: /messages?session=${session}\n\n`);
    }
    const session = searchParams.get("session") ?? "";
    let text = "";
    for await (const chunk of request) text += String(chunk);
    response.writeHead(202).end("Accepted");
    const { id, method, params } = JSON.parse(text) as {
      readonly id?: number;
      readonly method: string;
      readonly params?: unknown;
    };
    if (id === undefined) return;
    const send = (message: object) =>
      streams
        .get(session)
        ?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, ...message })}\n\n`);
    if (method === "initialize") {
      initialized.add(session);
      const serverInfo = { name: "old", version: "1.0.0" };
      return void send({
        result: { protocolVersion: "2024-11-05", capabilities: { tools: {} }, serverInfo },
      });
    }
    if (!initialized.has(session)) return void send({ error: { code: -32_600, message: "Not initialized" } });
    if (method === "tools/list")
      return void send({ result: { tools: [{ name: "call", inputSchema: { type: "object" } }] } });
    send({ result: { content: [{ type: "text", text: JSON.stringify({ session, params }) }] } });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`;
}

it("calls a server with the transport of 2024-11-05, and connects again when its stream breaks off", async () => {
  const url = await start();
  gateway = await openTestGateway({ old: { type: "sse", url } });
  expect(gateway.status.upstreams[0]).toMatchObject({ state: "ready", protocol_version: "2024-11-05" });
  expect((await gateway.call("call", { a: 1 })).data).toMatchObject({ params: { arguments: { a: 1 } } });
  streams.get("0")?.destroy();
  await vi.waitFor(
    () => expect(gateway?.status.upstreams[0]).toMatchObject({ state: "ready", restarts: 1 }),
    {
      timeout: 20_000,
    },
  );
  expect((await gateway.call("call")).data).toMatchObject({ session: "1" });
});
