import { checkEnvelope, errorResponse, notFound, successResponse } from "@foundry-mcp/contract";
import { Client, type Tool } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import {
  McpServer as OldMcpServer,
  type RegisteredTool as OldRegisteredTool,
} from "@modelcontextprotocol/sdk/server/mcp.js";
import { ElicitRequestSchema, LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { InMemoryTransport, McpServer, type RegisteredTool } from "@modelcontextprotocol/server";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { wrapTool } from "./wrap-tool.ts";

const identity = { name: "plain", version: "1.0.0" };

/** Functions that create servers of SDK 1.x and 2.x. */
const generations = {
  "SDK 2": () => new McpServer(identity),
  "SDK 1": () => new OldMcpServer(identity, { capabilities: { logging: {} } }),
};

function createServer(generation: keyof typeof generations) {
  const server = generations[generation]();
  wrapTool(
    server,
    "half",
    {
      title: "Half",
      description: "Half of a number",
      inputSchema: z.object({ n: z.number() }),
      outputSchema: z.object({ half: z.number() }),
      readOnly: true,
    },
    ({ n }, context) => {
      if (n < 0) throw notFound("half", String(n));
      context.warn("rounded");
      return { half: n / 2 };
    },
    { validateOutput: true },
  );
  wrapTool(
    server,
    "enveloped",
    { description: "Returns envelopes", outputSchema: z.object({ n: z.number() }) },
    (_input, { requestId }) =>
      requestId === "good" ? successResponse({ n: 1 }) : errorResponse("No", { errorCode: "CONFLICT" }),
  );
  wrapTool(server, "bare", { description: "No schema at all" }, () => ({ ok: true }));
  wrapTool(
    server,
    "chatty",
    { description: "Tells how far it is, and asks", timeoutMs: 20_000 },
    async (_, context) => {
      context.progress(1, 2, "half done");
      context.log("info", "a line");
      const answer = await context.elicit({ message: "Go on?", schema: z.object({ sure: z.boolean() }) });
      return { client: context.client.name, answer };
    },
  );
  const own = () => ({ content: [{ type: "text" as const, text: "as before" }] });
  if (server instanceof McpServer) server.registerTool("own", { description: "Of the server's own" }, own);
  else server.registerTool("own", { description: "Of the server's own" }, own);
  return server;
}

const clients = {
  "SDK 2": () => new Client({ name: "c", version: "1.0.0" }),
  "SDK 1": () => new OldClient({ name: "c", version: "1.0.0" }) as unknown as Client,
};

async function connect(generation: keyof typeof generations, client: Client) {
  const [mine, theirs] = InMemoryTransport.createLinkedPair();
  await createServer(generation).connect(theirs as never);
  await client.connect(mine as never);
}

/** The definition of the tool `half`, without the draft and the field that SDK 1.x adds. */
async function listHalf(generation: keyof typeof generations, client: Client) {
  await connect(generation, client);
  const { tools } = await client.listTools();
  await client.close();
  const { execution: _, ...half } = tools.find(({ name }) => name === "half") as Tool;
  const withoutDraft = ({ $schema: __, ...schema }: Record<string, unknown>) => schema;
  return {
    ...half,
    inputSchema: withoutDraft(half.inputSchema),
    outputSchema: withoutDraft(half.outputSchema ?? {}),
  };
}

describe.each([
  ["SDK 2", "SDK 2"],
  ["SDK 2", "SDK 1"],
  ["SDK 1", "SDK 2"],
  ["SDK 1", "SDK 1"],
] as const)("a wrapped tool of a server of %s, called by a client of %s", (generation, clientName) => {
  async function call(name: string, args: Record<string, unknown>, requestId = "wrapped") {
    const client = clients[clientName]();
    await connect(generation, client);
    await client.listTools();
    const result = await client.callTool({
      name,
      arguments: args,
      _meta: { "foundry-mcp/request_id": requestId },
    });
    await client.close();
    return result as {
      content: { text: string }[];
      structuredContent: { data: { error_code?: string } };
      isError?: boolean;
    };
  }

  it("answers with an envelope in both channels", async () => {
    const result = await call("half", { n: 4 });
    expect(result.structuredContent).toEqual({
      success: true,
      data: { half: 2 },
      error: null,
      meta: {
        version: "response-v2",
        request_id: "wrapped",
        warnings: ["rounded"],
        telemetry: { duration_ms: expect.any(Number) },
      },
    });
    expect(result.content[0]?.text).toBe(JSON.stringify(result.structuredContent));
    expect((await call("bare", {})).structuredContent).toMatchObject({ success: true, data: { ok: true } });
  });

  it("reads arguments whose meaning is certain, and says so", async () => {
    const { structuredContent } = await call("half", { n: "4" });
    expect(structuredContent).toMatchObject({
      success: true,
      data: { half: 2 },
      meta: { warnings: ["Arguments were corrected: n as a number", "rounded"] },
    });
  });

  it.each([
    [{}, "MISSING_REQUIRED"],
    [{ n: "four" }, "INVALID_FORMAT"],
    [{ n: 4, m: 1 }, "VALIDATION_ERROR"],
    [{ n: -1 }, "NOT_FOUND"],
  ])("answers %j with %s", async (args, code) => {
    const { structuredContent, isError } = await call("half", args);
    expect(checkEnvelope(structuredContent)).toEqual([]);
    expect([isError, structuredContent.data.error_code]).toEqual([true, code]);
  });

  it("is listed with its own schemas and hints", async () => {
    const half = await listHalf(generation, clients[clientName]());
    expect(half).toMatchObject({
      title: "Half",
      description: "Half of a number",
      inputSchema: {
        type: "object",
        properties: { n: { type: "number" }, max_tokens: { type: "integer" } },
        required: ["n"],
      },
      annotations: { readOnlyHint: true },
    });
    expect(half).toEqual(await listHalf("SDK 2", clients[clientName]()));
  });

  it("takes an envelope of its handler as the answer", async () => {
    const meta = { version: "response-v2", telemetry: { duration_ms: expect.any(Number) } };
    const good = await call("enveloped", {}, "good");
    expect([good.isError, good.structuredContent]).toEqual([
      undefined,
      { success: true, data: { n: 1 }, error: null, meta: { ...meta, request_id: "good" } },
    ]);
    const bad = await call("enveloped", {}, "bad");
    expect([bad.isError, bad.structuredContent]).toEqual([
      true,
      {
        success: false,
        data: {
          error_code: "CONFLICT",
          error_type: "conflict",
          remediation: expect.any(String),
        },
        error: "No",
        meta: { ...meta, request_id: "bad" },
      },
    ]);
  });

  it("does not change the server's other tools", async () => {
    expect((await call("own", {})).content).toEqual([{ type: "text", text: "as before" }]);
  });
});

describe.each(["SDK 2", "SDK 1"] as const)("wrapping a tool of a server of %s", (generation) => {
  it("can be removed and repeated", () => {
    const server = generations[generation]();
    const wrap = () => wrapTool(server, "late", { description: "Late" }, () => ({}));
    wrap().remove();
    expect(wrap().description).toBe("Late");
  });

  it("refuses a name that the server already has", () => {
    const server = createServer(generation);
    expect(() => wrapTool(server, "half", { description: "again" }, () => ({}))).toThrow(/exists already/);
    expect(() => wrapTool(server, "own", { description: "again" }, () => ({}))).toThrow(/own/);
  });
});

it("sends progress and asks the user over a server of SDK 1", async () => {
  const client = new OldClient({ name: "asked", version: "1.0.0" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: { sure: true } }));
  const logged: unknown[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    logged.push(params);
  });
  await connect("SDK 1", client as unknown as Client);
  const progress: unknown[] = [];
  const options = { onprogress: (each: unknown) => progress.push(each) };
  const result = await client.callTool({ name: "chatty", arguments: {} }, undefined, options);
  await client.close();
  expect(result.structuredContent).toMatchObject({
    success: true,
    data: { client: "asked", answer: { action: "accept", content: { sure: true } } },
  });
  expect(logged).toEqual([{ level: "info", data: "a line" }]);
  expect(progress).toEqual([{ progress: 1, total: 2, message: "half done" }]);
});

it("refuses a server that takes no schemas of zod 4, and leaves nothing behind", () => {
  const names: string[] = [];
  const server = {
    server: { getClientVersion: () => undefined, getClientCapabilities: () => undefined },
    registerTool(name: string) {
      names.push(name);
      return { inputSchema: { _def: {} }, remove: () => void names.pop() };
    },
  };
  expect(() => wrapTool(server, "late", { description: "Late" }, () => ({}))).toThrow(
    'Cannot wrap the tool "late": this version of @modelcontextprotocol/sdk takes no schemas of zod 4. Use 1.23 or newer.',
  );
  expect(names).toEqual([]);
});

it("returns the registered tool of the server's own generation", () => {
  const definition = { description: "Typed", inputSchema: z.object({ n: z.number() }) };
  const wrapNew = () => wrapTool(new McpServer(identity), "a", definition, ({ n }) => ({ n }));
  const wrapOld = () => wrapTool(new OldMcpServer(identity), "a", definition, ({ n }) => ({ n }));
  expectTypeOf(wrapNew).returns.toEqualTypeOf<RegisteredTool>();
  expectTypeOf(wrapOld).returns.toEqualTypeOf<OldRegisteredTool>();
  // @ts-expect-error An object without registerTool is not a server.
  expectTypeOf(wrapTool).toBeCallableWith({ server: {} }, "a", definition, () => ({}));
});
