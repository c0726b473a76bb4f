import { checkEnvelope, notFound } from "@foundry-mcp/contract";
import { Client } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { wrapTool } from "./wrap-tool.ts";

function createServer(): McpServer {
  const server = new McpServer({ name: "plain", version: "1.0.0" });
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
  wrapTool(server, "bare", { description: "No schema at all" }, () => ({ ok: true }));
  server.registerTool("own", { description: "Of the server's own" }, () => ({
    content: [{ type: "text", text: "as before" }],
  }));
  return server;
}

describe.each([
  ["SDK 2", () => new Client({ name: "c", version: "1.0.0" })],
  ["SDK 1", () => new OldClient({ name: "c", version: "1.0.0" }) as unknown as Client],
])("a wrapped tool of an existing server, called by a client of %s", (_name, createClient) => {
  async function call(name: string, args: Record<string, unknown>) {
    const [mine, theirs] = InMemoryTransport.createLinkedPair();
    const server = createServer();
    await server.connect(theirs);
    const client = createClient();
    await client.connect(mine as never);
    await client.listTools();
    const result = await client.callTool({ name, arguments: args });
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
        request_id: expect.stringMatching(/^req_/),
        warnings: ["rounded"],
        telemetry: { duration_ms: expect.any(Number) },
      },
    });
    expect(result.content[0]?.text).toBe(JSON.stringify(result.structuredContent));
    expect((await call("bare", {})).structuredContent).toMatchObject({ success: true, data: { ok: true } });
  });

  it.each([
    [{}, "MISSING_REQUIRED"],
    [{ n: "4" }, "INVALID_FORMAT"],
    [{ n: 4, m: 1 }, "VALIDATION_ERROR"],
    [{ n: -1 }, "NOT_FOUND"],
  ])("answers %j with %s", async (args, code) => {
    const { structuredContent, isError } = await call("half", args);
    expect(checkEnvelope(structuredContent)).toEqual([]);
    expect([isError, structuredContent.data.error_code]).toEqual([true, code]);
  });

  it("does not change the server's other tools", async () => {
    expect((await call("own", {})).content).toEqual([{ type: "text", text: "as before" }]);
  });
});

describe("wrapping", () => {
  it("can be removed and repeated", () => {
    const server = new McpServer({ name: "plain", version: "1.0.0" });
    const wrap = () => wrapTool(server, "late", { description: "Late" }, () => ({}));
    wrap().remove();
    expect(wrap().description).toBe("Late");
  });

  it("refuses a name that the server already has", () => {
    const server = createServer();
    expect(() => wrapTool(server, "half", { description: "again" }, () => ({}))).toThrow(/exists already/);
    expect(() => wrapTool(server, "own", { description: "again" }, () => ({}))).toThrow(/own/);
  });
});
