import { once } from "node:events";
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ContractError, errorResponse, fromUnknown, successResponse } from "@foundry-mcp/contract";
import { InMemoryTransport } from "@modelcontextprotocol/client";
import { Server } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ConnectOptions, Target } from "./connect-target.ts";
import type { Connection } from "./connection.ts";
import { connect } from "./connection.ts";
import { defaultClientInfo } from "./open-client.ts";
import { fixtureCommand, startHttpFixture } from "./testing/start-fixture.ts";
import { unwrap } from "./unwrap.ts";

const requestId = "req_test";
const unsure = "Check whether the work was done; repeat the call only if the work may be done twice.";
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close();
});

async function connectTo(target: Target, options?: ConnectOptions): Promise<Connection> {
  const connection = await connect(target, options);
  open.push(connection);
  return connection;
}

/** Returns the envelope of the failure that an attempt to connect throws. */
async function failureOf(attempt: Promise<unknown>) {
  const thrown = await attempt.then(
    () => "connected",
    (reason: unknown) => reason,
  );
  expect(thrown).toBeInstanceOf(ContractError);
  return fromUnknown(thrown);
}

async function listen(server: HttpServer): Promise<string> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  open.push({ close: () => server.closeAllConnections() ?? server.close() });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

describe("a server that dies in the middle of a call", () => {
  const died = {
    success: false,
    data: {
      error_code: "UNAVAILABLE",
      error_type: "unavailable",
      remediation: unsure,
      details: { may_have_run: true },
    },
    error: "The connection closed before the server answered",
    meta: { version: "response-v2", request_id: requestId },
  };

  it.each(["stdio-v1", "stdio-v2"])(
    "fails with UNAVAILABLE over %s, and so does every later call",
    async (name) => {
      const connection = await connectTo(fixtureCommand(name));
      expect(await connection.callTool("die", {}, { requestId })).toEqual(died);
      expect(await connection.callTool("echo", {}, { requestId })).toEqual({
        ...died,
        data: {
          error_code: "UNAVAILABLE",
          error_type: "unavailable",
          remediation: "Try again with increasing delays.",
        },
        error: "There is no connection to the server",
      });
    },
  );

  it("is not retried once it is gone", async () => {
    const connection = await connectTo(fixtureCommand("stdio-v1"), { protocol: "legacy" });
    const sleep = () => Promise.reject(new Error("waited"));
    const retry = { idempotent: true, sleep };
    expect(await connection.callTool("die", {}, { requestId, retry })).toEqual(died);
  });

  it("can list its tools after a listing has failed", async () => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const server = new Server({ name: "s", version: "1" }, { capabilities: { tools: {} } });
    let lists = 0;
    server.setRequestHandler("tools/list", () => {
      lists += 1;
      if (lists === 1) throw new Error("not yet");
      return { tools: [{ name: "t", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } }] };
    });
    let calls = 0;
    server.setRequestHandler("tools/call", () => {
      calls += 1;
      return { content: [{ type: "text", text: "timed out" }], isError: true };
    });
    await server.connect(far);
    const connection = await connectTo({ transport: near }, { protocol: "legacy" });
    const retry = { baseDelayMs: 0 };
    await connection.callTool("t", {}, { retry });
    expect({ lists, calls }).toEqual({ lists: 1, calls: 1 });
    await connection.callTool("t", {}, { retry });
    expect({ lists, calls }).toEqual({ lists: 2, calls: 4 });
  });

  it.each(["http-v1", "http-v2"])(
    "is reported at once over %s, whether or not its answer had begun",
    async (name) => {
      for (const [tool, details] of [
        ["die", { reason: "UND_ERR_SOCKET", may_have_run: true }],
        ["hang", { may_have_run: true }],
      ] as const) {
        const fixture = await startHttpFixture(name);
        open.push({ close: () => fixture.stop() });
        const connection = await connectTo(fixture.url);
        const onProgress = () => fixture.process.kill("SIGKILL");
        const envelope = await connection.callTool(tool, {}, { requestId, onProgress });
        expect(envelope).toEqual({ ...died, data: { ...died.data, details } });
        // Repeat the call until every socket of the pool has noticed that the server is gone.
        const again = () => connection.callTool("echo", {}, { requestId });
        await expect.poll(again).toEqual({
          success: false,
          data: {
            error_code: "DEPENDENCY_UNAVAILABLE",
            error_type: "unavailable",
            remediation: "Check that the dependency runs, then try again.",
            details: { reason: "ECONNREFUSED" },
          },
          error: "The server cannot be reached",
          meta: died.meta,
        });
      }
    },
  );

  it("is retried only where the call is idempotent and the connection open", async () => {
    let calls = 0;
    const target = {
      call: async () => {
        calls += 1;
        return calls % 3 === 0
          ? successResponse({ calls })
          : errorResponse("gone", { errorCode: "UNAVAILABLE", details: { may_have_run: true } });
      },
      definitions: [{ name: "safe", inputSchema: {}, annotations: { idempotentHint: true } }],
    };
    const connection = await connectTo(target);
    const retry = { baseDelayMs: 0 };
    expect((await connection.callTool("safe", {}, { retry })).data).toEqual({ calls: 3 });
    expect((await connection.callTool("other", {}, { retry })).error).toBe("gone");
    expect(calls).toBe(4);
    await connection.close();
    expect((await connection.callTool("safe", {}, { retry })).data).toMatchObject({
      error_code: "UNAVAILABLE",
    });
  });
});

describe("connecting", () => {
  it.each(["auto", "legacy"] as const)(
    "fails with DEPENDENCY_UNAVAILABLE for a missing command (%s)",
    async (protocol) => {
      const target = { command: "/nowhere/no-such-command", stderr: "ignore" as const };
      expect(await failureOf(connect(target, { protocol }))).toEqual({
        success: false,
        data: {
          error_code: "DEPENDENCY_UNAVAILABLE",
          error_type: "unavailable",
          remediation: "Check that the dependency runs, then try again.",
          details: { reason: "ENOENT" },
        },
        error:
          'Cannot connect to the command "no-such-command": the server could not be started: there is no such command or working directory',
        meta: { version: "response-v2" },
      });
    },
  );

  it("fails with UNAVAILABLE for a command that exits at once", async () => {
    const target = { command: process.execPath, args: ["--eval", "0"], stderr: "ignore" as const };
    expect(await failureOf(connect(target))).toMatchObject({
      data: { error_code: "UNAVAILABLE" },
      error: expect.stringMatching(/^Cannot connect to the command "node[^"]*": the connection closed/),
    });
  });

  it("fails with DEPENDENCY_UNAVAILABLE for a closed port", async () => {
    const server = createServer();
    const url = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await failureOf(connect(url))).toMatchObject({
      data: {
        error_code: "DEPENDENCY_UNAVAILABLE",
        remediation: "Start the server, or check host and port of the address.",
        details: { reason: "ECONNREFUSED" },
      },
      error: `Cannot connect to ${url}: nothing answers at ${new URL(url).host}`,
    });
  });

  it.each(["auto", "legacy"] as const)("names the port where fetch blocks it (%s)", async (protocol) => {
    expect(await failureOf(connect("http://127.0.0.1:9/mcp", { protocol }))).toMatchObject({
      data: { error_code: "DEPENDENCY_UNAVAILABLE", details: { reason: "BAD_PORT" } },
      error:
        "Cannot connect to http://127.0.0.1:9/mcp: HTTP clients refuse to connect to 127.0.0.1:9, because the port is reserved for another protocol",
    });
  });

  it("names the host where it does not exist", async () => {
    expect(await failureOf(connect("http://no-such-host.invalid/mcp"))).toMatchObject({
      data: { error_code: "DEPENDENCY_UNAVAILABLE", remediation: "Check the host of the address." },
      error: expect.stringMatching(/: no host has the name no-such-host\.invalid$/),
    });
  });

  it("names the path where another program answers", async () => {
    const url = await listen(createServer((_, response) => response.writeHead(404).end("Not Found")));
    expect(await failureOf(connect(`${url}/other`))).toMatchObject({
      data: { error_code: "NOT_FOUND", remediation: "Check the path of the address: often it is /mcp." },
      error: `Cannot connect to ${url}/other: no MCP server answers at the path "/mcp/other" (HTTP status 404)`,
    });
  });

  it.each([
    [401, "UNAUTHORIZED"],
    [403, "FORBIDDEN"],
    [429, "RATE_LIMIT_EXCEEDED"],
    [500, "UNAVAILABLE"],
    [503, "UNAVAILABLE"],
  ])("converts HTTP status %i to %s", async (status, code) => {
    const url = await listen(createServer((_, response) => response.writeHead(status).end()));
    const failure = await failureOf(connect(`${url}?key=secret`, { protocol: "legacy" }));
    expect(failure.data).toMatchObject({ error_code: code, details: { status } });
    expect(failure.error).toBe(`Cannot connect to ${url}: the server answered with HTTP status ${status}`);
  });

  it("returns the envelope of the body where it has one", async () => {
    const sent = errorResponse("The licence has run out", { errorCode: "UPGRADE_REQUIRED", requestId: "r" });
    const url = await listen(
      createServer((_, response) => response.writeHead(403).end(JSON.stringify(sent))),
    );
    const failure = await failureOf(connect(url, { protocol: "legacy" }));
    expect(failure).toEqual({ ...sent, error: `Cannot connect to ${url}: the licence has run out` });
  });

  it("times out where a server accepts and never answers", async () => {
    const url = await listen(createServer(() => {}));
    const failure = await failureOf(connect(url, { timeoutMs: 50 }));
    expect(failure.data).toMatchObject({ error_code: "TIMEOUT" });
    expect(failure.data.details).toBeUndefined();
  });

  it("fails with UPSTREAM_ERROR where the server does not speak MCP", async () => {
    const url = await listen(
      createServer((_, response) =>
        response.writeHead(200, { "content-type": "text/html" }).end("<p>hi</p>"),
      ),
    );
    expect((await failureOf(connect(url, { protocol: "legacy" }))).data.error_code).toBe("UPSTREAM_ERROR");
  });

  it.each(["nonsense", "ftp://127.0.0.1/x"])(
    "fails with INVALID_FORMAT for the address %s",
    async (address) => {
      expect((await failureOf(connect(address))).data).toMatchObject({
        error_code: "INVALID_FORMAT",
        details: { field: "target", constraint: "format" },
      });
    },
  );

  it("fails with NOT_IMPLEMENTED where the server lacks the wanted protocol version", async () => {
    const failure = await failureOf(connect(fixtureCommand("stdio-v1"), { protocol: "2026-07-28" }));
    expect(failure.data.error_code).toBe("NOT_IMPLEMENTED");
  });
});

describe("an invalid result", () => {
  it.each([
    [{}, { success: true, data: {} }],
    [
      { structuredContent: [1], content: "no list" },
      { success: true, data: { result: [1] } },
    ],
    [
      { content: [null, 7, { type: "text", text: 5 }, { type: "novel" }] },
      { success: true, data: { content: [{ type: "text" }, { type: "novel" }] } },
    ],
    [
      { isError: true, structuredContent: { statusCode: 429, retryAfter: 7 } },
      { success: false, data: { error_code: "RATE_LIMIT_EXCEEDED", retry_after_seconds: 7 } },
    ],
    [
      { task: { taskId: "t" } },
      { success: false, data: { error_code: "NOT_IMPLEMENTED", details: { result_type: "task" } } },
    ],
  ])("becomes an envelope: %j", async (result, expected) => {
    const connection = await connectTo(fixtureCommand("garbage"));
    await connection.listTools();
    expect(await connection.callTool("call", result)).toMatchObject(expected);
  });
});

describe("a request of the server", () => {
  const onElicit = async (form: { message: string }) => ({
    action: "accept" as const,
    content: { name: `answer to ${form.message}` },
  });

  it.each(["stdio-v1", "stdio-v2"])("is answered by a client with a handler (%s)", async (name) => {
    const connection = await connectTo(fixtureCommand(name), { onElicit });
    expect((await connection.callTool("ask")).data).toMatchObject({
      action: "accept",
      content: { name: "answer to Your name?" },
    });
  });

  it("fails with NOT_IMPLEMENTED where the client has no handler", async () => {
    const connection = await connectTo(fixtureCommand("stdio-v2"));
    expect(await connection.callTool("ask", {}, { requestId })).toEqual({
      success: false,
      data: {
        error_code: "NOT_IMPLEMENTED",
        error_type: "validation",
        remediation: "Use another action; the tool's schema lists its actions.",
        details: { rpc_code: -32021 },
      },
      error:
        "Cannot request input 'name' (elicitation/create): the request's client capabilities do not declare the required capability",
      meta: { version: "response-v2", request_id: requestId },
    });
  });
});

describe("a client", () => {
  /** Starts a server on one of two linked transports, and connects to the server over the other. */
  async function pair(capabilities: object, options: ConnectOptions) {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const server = new Server({ name: "s", version: "1" }, { capabilities });
    return {
      server,
      connect: async () => {
        await server.connect(far);
        return connectTo({ transport: near }, { protocol: "legacy", ...options });
      },
    };
  }

  it("declares its name and only the capabilities it has handlers for", async () => {
    const plain = await pair({}, {});
    const connection = await plain.connect();
    expect(plain.server.getClientVersion()).toEqual(defaultClientInfo);
    expect(plain.server.getClientCapabilities()).toEqual({});
    const clientInfo = { name: "mine", version: "9" };
    const able = await pair({}, { clientInfo, onElicit, onSample: () => sample });
    await able.connect();
    expect(able.server.getClientVersion()).toEqual(clientInfo);
    expect(able.server.getClientCapabilities()).toEqual({ elicitation: { form: {} }, sampling: {} });
    // For a server without tools, the list of tools is empty and nothing is written to the console.
    const debug = vi.spyOn(console, "debug").mockReturnValue();
    expect(await connection.listTools()).toEqual([]);
    expect(debug).not.toHaveBeenCalled();
    debug.mockRestore();
  });

  it("answers a sampling request", async () => {
    const asked: unknown[] = [];
    const onSample: ConnectOptions["onSample"] = (request) => {
      asked.push(request.maxTokens);
      return sample;
    };
    const { server, connect: open } = await pair({ tools: {} }, { onSample });
    server.setRequestHandler("tools/call", async (_, { mcpReq }) => {
      const request = { method: "sampling/createMessage" as const, params: { messages: [], maxTokens: 5 } };
      const { content } = await mcpReq.send(request);
      return { content: [content as { type: "text"; text: string }] };
    });
    expect((await (await open()).callTool("t")).data).toEqual({ text: "word" });
    expect(asked).toEqual([5]);
  });

  const sample = {
    role: "assistant" as const,
    model: "m",
    content: { type: "text" as const, text: "word" },
  };
  const onElicit = () => ({ action: "decline" as const });
});

describe("an answer of many megabytes", () => {
  it("is received whole", async () => {
    const connection = await connectTo(fixtureCommand("stdio-v1"), { protocol: "legacy" });
    const { text } = unwrap(await connection.callTool<{ text: string }>("big"));
    expect(text).toHaveLength(12 * 2 ** 20);
  });
});

describe("close", () => {
  it("ends the child process, and does nothing the second time", async () => {
    const connection = await connect(fixtureCommand("stdio-v1"), { protocol: "legacy" });
    const { pid } = unwrap(await connection.callTool<{ pid: number }>("pid"));
    expect(process.kill(pid, 0)).toBe(true);
    const pending = connection.callTool("hang", {}, { requestId });
    await Promise.all([connection.close(), connection.close()]);
    await connection[Symbol.asyncDispose]();
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    expect((await pending).data).toMatchObject({
      error_code: "UNAVAILABLE",
      details: { may_have_run: true },
    });
    expect((await connection.callTool("echo")).error).toBe("There is no connection to the server");
    await expect(connection.listTools()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  it("closes a transport that was given", async () => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const { createServer: createFixture } = await import("./fixtures/server-v2.mjs" as string);
    await createFixture().connect(far);
    const connection = await connect({ transport: near }, { protocol: "legacy" });
    expect(connection.serverInfo?.name).toBe("fixture-v2");
    const closed = new Promise<void>((resolve) => {
      far.onclose = resolve;
    });
    await connection.close();
    await closed;
  });
});
