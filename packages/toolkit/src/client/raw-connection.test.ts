import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { connectRaw, type RawConnection, type RawTarget } from "./raw-connection.ts";
import { fixtureCommand } from "./testing/start-fixture.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close();
});

async function connectTo(
  target: RawTarget,
  options: Parameters<typeof connectRaw>[1] = {},
): Promise<RawConnection> {
  const connection = await connectRaw(target, options);
  open.push(connection);
  return connection;
}

describe("a raw connection", () => {
  it.each([
    ["stdio-v1", "fixture-v1"],
    ["stdio-v2", "fixture-v2"],
  ])("reports the server (%s)", async (fixture, name) => {
    const connection = await connectTo(fixtureCommand(fixture));
    expect(connection.serverInfo).toMatchObject({ name });
    expect(connection.capabilities).toMatchObject({ tools: expect.anything() });
    expect(connection.protocolVersion).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(connection.isOpen()).toBe(true);
  });

  it("returns results unmodified, valid or not", async () => {
    const noise: string[] = [];
    const onNoise = (error: Error) => noise.push((error as { line?: string }).line ?? error.message);
    const connection = await connectTo(fixtureCommand("garbage"), { onNoise });
    expect(await connection.request("tools/list")).toEqual({
      kind: "result",
      result: { tools: [{ name: "call", inputSchema: { type: "object" } }] },
    });
    for (const result of [{}, { structuredContent: [1], content: "no list" }, { task: { taskId: "t" } }])
      expect(await connection.request("tools/call", { name: "call", arguments: result })).toEqual({
        kind: "result",
        result,
      });
    expect(noise).toContain("this line is no message");
  });

  it("returns JSON-RPC errors", async () => {
    const connection = await connectTo(fixtureCommand("garbage"));
    expect(await connection.request("no/such/method")).toEqual({
      kind: "error",
      code: -32601,
      message: "Method not found",
      data: undefined,
    });
  });

  it("reports why no reply came: timeout, abort, exit", async () => {
    const connection = await connectTo(fixtureCommand("stdio-v1"), { protocol: "legacy" });
    const hang = { name: "hang", arguments: {} };
    const code = (data: object) => ({ kind: "none", failure: { success: false, data } });
    expect(await connection.request("tools/call", hang, { timeoutMs: 50 })).toMatchObject(
      code({ error_code: "TIMEOUT" }),
    );
    const signal = AbortSignal.abort();
    expect(await connection.request("tools/call", hang, { signal })).toMatchObject(
      code({ error_code: "CANCELLED" }),
    );
    expect(await connection.request("tools/call", { name: "die", arguments: {} })).toMatchObject(
      code({ error_code: "UNAVAILABLE" }),
    );
    expect(connection.isOpen()).toBe(false);
    expect(await connection.request("tools/list")).toMatchObject(code({ error_code: "UNAVAILABLE" }));
    await connection.close();
    await connection[Symbol.asyncDispose]();
  });

  it("treats a reply that broke off as none, not as an error of the server", async () => {
    const server: Server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => {
        body += chunk;
      });
      request.on("end", () => {
        if (request.method !== "POST") return response.writeHead(405).end();
        const { id, method, params } = JSON.parse(body) as {
          id?: number;
          method: string;
          params: { protocolVersion: string };
        };
        if (method === "tools/call")
          return response.writeHead(200, { "content-type": "text/event-stream" }).end(": bye\n\n");
        if (id === undefined) return response.writeHead(202).end();
        const { protocolVersion } = params;
        const result = { protocolVersion, capabilities: {}, serverInfo: { name: "s", version: "1" } };
        return response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ jsonrpc: "2.0", id, result }));
      });
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    open.push({ close: () => server.closeAllConnections() ?? server.close() });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const connection = await connectTo(url, { protocol: "legacy" });
    expect(await connection.request("tools/call", { name: "any" })).toMatchObject({
      kind: "none",
      failure: {
        data: { error_code: "UNAVAILABLE" },
        error: "The connection closed before the server answered",
      },
    });
    expect(connection.isOpen()).toBe(true);
  });

  it("fails where there is no server", async () => {
    await expect(connectRaw({ command: "no-such-program-anywhere" })).rejects.toMatchObject({
      code: "DEPENDENCY_UNAVAILABLE",
    });
    await expect(connectRaw("ftp://127.0.0.1/")).rejects.toMatchObject({ code: "INVALID_FORMAT" });
  });
});
