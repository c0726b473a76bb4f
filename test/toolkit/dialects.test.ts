import {
  checkEnvelope,
  type Dialect,
  detectDialect,
  dialects,
  type Envelope,
  type EnvelopeV1,
  readEnvelope,
} from "@foundry-mcp/contract";
import { createRegistry, defineTool } from "@foundry-mcp/toolkit";
import { type RunningHttpServer, serveHttp } from "@foundry-mcp/toolkit/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createMatrixRegistry } from "./matrix-registry.ts";
import { connectSdk, type SdkClient, sdkNames } from "./sdk-clients.ts";
import { silentLogger } from "./silent-logger.ts";

const requestId = "dialect-call";

const calls = [
  { title: "a plain success", tool: "echo", args: { text: "hi" } },
  { title: "an empty success", tool: "nothing", args: {} },
  { title: "a success of an action", tool: "note_book", args: { action: "get", note_id: "note-01" } },
  { title: "a page", tool: "note_book", args: { action: "list", limit: 2 } },
  { title: "warnings", tool: "warned", args: {} },
  { title: "attachments", tool: "attached", args: {} },
  { title: "Unicode", tool: "unicode", args: { テキスト: "語" } },
  { title: "half a character", tool: "half_character", args: {} },
  {
    title: "keys of the envelope in the payload",
    tool: "open",
    args: { success: "no", error: 1, data: [], meta: {} },
  },
  { title: "a missing parameter", tool: "echo", args: {} },
  { title: "several faults", tool: "settled", args: { size: "huge", tags: "a" } },
  { title: "an unknown action", tool: "note_book", args: { action: "lst" } },
  { title: "an upgrade hint", tool: "throws", args: { action: "upgrade_required" } },
  { title: "a rate limit", tool: "throws", args: { action: "rate_limited" } },
  { title: "a code of the server's own", tool: "throws", args: { action: "own_code" } },
  { title: "a bug", tool: "throws", args: { action: "error" } },
  { title: "an unwritable payload", tool: "returns", args: { action: "big_int" } },
  { title: "a success as an envelope", tool: "envelopes", args: { action: "success" } },
  { title: "a failure as an envelope", tool: "envelopes", args: { action: "failure" } },
  { title: "a deadline", tool: "slow", args: { action: "hang" } },
] as const;

/** Returns the envelope without its duration and without the identity of the tool, which envelope-v1 adds. */
function timeless(envelope: Envelope): unknown {
  const { meta, ...rest } = envelope;
  const { telemetry: _, envelope_v1: _identity, ...told } = meta;
  return { ...rest, meta: told };
}

/**
 * Returns the envelope with only the data of response-v1. There is no metadata, and a failure has only its message.
 */
function wordsOf({ success, error }: Envelope): unknown {
  return { success, error };
}

describe.each(dialects)("a server whose dialect is %s", (dialect: Dialect) => {
  const registry = createMatrixRegistry({ dialect });
  let http: RunningHttpServer;
  beforeAll(async () => {
    http = await serveHttp(registry, { port: 0, logger: silentLogger });
  });
  afterAll(() => http.close());

  /**
   * Compares the sent response with the response in process. For an unknown tool, only the server's version is sent.
   */
  const check = (sent: unknown, envelope: Envelope, tool?: string) => {
    const known = registry.tools.find(({ name }) => name === tool);
    const identity =
      known === undefined
        ? { tool_version: registry.options.version }
        : { tool_id: known.name, tool_version: known.version };
    expect(detectDialect(sent)).toBe(dialect);
    const back = readEnvelope(sent);
    expect(checkEnvelope(back, { deep: true }).filter(({ level }) => level === "MUST")).toEqual([]);
    if (dialect === "response-v1") expect(wordsOf(back)).toEqual(wordsOf(envelope));
    else {
      expect(timeless(back)).toEqual(timeless(envelope));
      expect(back.meta.telemetry).toEqual({ duration_ms: expect.any(Number) });
    }
    if (dialect === "envelope-v1") expect(back.meta["envelope_v1"]).toEqual(identity);
  };

  // The matrix already covers response-v2 over stdio, and a process for each client is slow.
  const transports = dialect === "response-v2" ? (["HTTP"] as const) : (["HTTP", "stdio"] as const);

  describe.each(sdkNames.flatMap((sdk) => transports.map((transport) => ({ sdk, transport }))))(
    "to $sdk over $transport",
    ({ sdk, transport }) => {
      let client: SdkClient;
      beforeAll(async () => {
        client = await connectSdk(
          sdk,
          transport === "stdio" ? { script: "matrix-stdio", args: [dialect] } : { url: `${http.url}/mcp` },
        );
      });
      afterAll(() => client.close());

      it.each(calls)(
        "sends $title in a form that the client accepts and readEnvelope reads",
        async ({ tool, args }) => {
          const result = await client.callTool({
            name: tool,
            arguments: args,
            _meta: { "foundry-mcp/request_id": requestId },
          });
          const envelope = (await registry.call(tool, args, { requestId })) as Envelope;
          const [first] = result.content;
          expect(first?.text).toBe(JSON.stringify(result.structuredContent));
          expect(result.isError ?? false).toBe(!envelope.success);
          check(result.structuredContent, envelope, tool);
        },
      );

      it("carries the envelope of an unknown tool in the same dialect", async () => {
        const thrown = await client
          .callTool({ name: "ehco", _meta: { "foundry-mcp/request_id": requestId } })
          .then(
            () => undefined,
            (error: unknown) => error as { code: number; data: unknown },
          );
        expect(thrown?.code).toBe(-32_602);
        check(thrown?.data, (await registry.call("ehco", {}, { requestId })) as Envelope);
      });
    },
  );

  it.each(calls)("sends $title over POST /api", async ({ tool, args }) => {
    const response = await fetch(`${http.url}/api/tools/${tool}`, {
      method: "POST",
      body: JSON.stringify(args),
      headers: { "x-request-id": requestId },
    });
    expect(response.headers.get("x-request-id")).toBe(requestId);
    check(await response.json(), (await registry.call(tool, args, { requestId })) as Envelope, tool);
  });

  it("uses its dialect also where no tool is reached", async () => {
    for (const path of ["/healthz", "/readyz", "/nowhere"]) {
      const sent = (await (await fetch(`${http.url}${path}`)).json()) as Partial<EnvelopeV1>;
      expect(detectDialect(sent), path).toBe(dialect);
      if (dialect === "envelope-v1") expect(sent.tool_version, path).toBe(registry.options.version);
    }
  });
});

it.each(sdkNames)(
  "is accepted by a validation that is awake: %s refuses a payload that breaks its schema",
  async (sdk) => {
    const liar = defineTool({
      name: "liar",
      version: "1.0.0",
      description: "Promises a number and gives a text",
      output: z.object({ count: z.int() }),
      run: () => ({ count: "many" as unknown as number }),
    });
    const http = await serveHttp(
      createRegistry({ name: "liar", version: "1.0.0", tools: [liar], validateOutput: false }),
      {
        port: 0,
        logger: silentLogger,
      },
    );
    const client = await connectSdk(sdk, { url: `${http.url}/mcp` });
    await expect(client.callTool({ name: "liar" })).rejects.toThrow(/output schema/i);
    await client.close();
    await http.close();
  },
);

it.each([
  ["3.2.1", "3.2.1"],
  ["2026 spring", "0.0.0"],
])("a server of version %s answers for an unknown tool with the tool_version %s", async (version, sent) => {
  const registry = createMatrixRegistry({ dialect: "envelope-v1", version });
  const { value } = await registry.dispatch(
    { tool: "ehco", args: {}, requestId },
    { surface: "in-process", client: { name: "test" } },
  );
  const { tool_id, tool_version } = value as unknown as EnvelopeV1;
  expect({ tool_id, tool_version }).toEqual({ tool_id: "", tool_version: sent });
});

it("names tool and version in envelope-v1", async () => {
  const registry = createMatrixRegistry({ dialect: "envelope-v1" });
  const { value } = await registry.dispatch(
    { tool: "repeat", args: { text: "hi" }, requestId },
    { surface: "in-process", client: { name: "test" } },
  );
  const { tool_id, tool_version, request_id, data, error } = value as unknown as EnvelopeV1;
  expect({ tool_id, tool_version, request_id, data, error }).toEqual({
    tool_id: "echo",
    tool_version: "1.2.3",
    request_id: requestId,
    data: { text: "hi", times: 1 },
    error: null,
  });
});
