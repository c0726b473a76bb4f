import { checkEnvelope, type Envelope, toHttpStatus } from "@foundry-mcp/contract";
import { type RunningHttpServer, serveHttp } from "@foundry-mcp/toolkit/http";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  foreignArguments,
  formlessArguments,
  garbage,
  hostileArguments,
  hostileCall,
  hostileMeta,
  jsonValue,
} from "./hostile-calls.ts";
import { findLeaks } from "./leaks.ts";
import { createMatrixRegistry, quickTools } from "./matrix-registry.ts";
import { openRawHttp, openRawStdio, type RawPeer, type RawStdio, type RpcMessage } from "./raw-rpc.ts";
import { silentLogger } from "./silent-logger.ts";

/** The number of calls in process, and over each of the five transports. */
export interface FuzzRuns {
  readonly inProcess: number;
  readonly perTransport: number;
}

/** Checks that a response is an envelope and leaks nothing internal. */
function checkSafe(envelope: unknown): void {
  expect(checkEnvelope(envelope, { deep: true }).filter(({ level }) => level === "MUST")).toEqual([]);
  expect(findLeaks(JSON.stringify(envelope))).toEqual([]);
}

/**
 * Checks an MCP response. The response is either a result whose channels are equal, or an error that contains an
 * envelope.
 */
function checkMessage({ result, error }: RpcMessage): void {
  if (error !== undefined) {
    // A message that is nested too deeply outside its arguments is refused before its method is examined.
    const isTooDeep = JSON.stringify(error.data).includes('"max_depth"');
    expect(error.code).toBe(isTooDeep ? -32_600 : -32_602);
    checkSafe(error.data);
    return;
  }
  const {
    content,
    structuredContent,
    isError = false,
  } = result as {
    content: { type: string; text: string }[];
    structuredContent: Envelope;
    isError?: boolean;
  };
  checkSafe(structuredContent);
  expect(content[0]).toEqual({ type: "text", text: JSON.stringify(structuredContent) });
  expect(isError).toBe(!structuredContent.success);
}

/** Sends hostile calls to every surface of a server. */
export function describeFuzz({ inProcess, perTransport }: FuzzRuns): void {
  const registry = createMatrixRegistry({ tools: quickTools });
  const members = Reflect.ownKeys(Object.prototype);
  afterAll(() => expect(Reflect.ownKeys(Object.prototype)).toEqual(members));

  describe("in process", () => {
    it("answers any call with an envelope", async () => {
      const calls = fc.oneof(
        { weight: 6, arbitrary: hostileCall },
        {
          weight: 1,
          arbitrary: fc.record({ tool: fc.constantFrom("echo", "open"), args: formlessArguments }),
        },
        {
          weight: 1,
          arbitrary: fc.record({ tool: fc.constantFrom("open", "settled"), args: foreignArguments }),
        },
        { weight: 1, arbitrary: fc.record({ tool: jsonValue, args: hostileArguments }) },
      );
      const property = fc.asyncProperty(calls, fc.option(jsonValue), async ({ tool, args }, requestId) => {
        const { envelope, text, value } = await registry.dispatch(
          { tool: tool as string, args, requestId },
          { surface: "in-process", client: { name: "fuzz" } },
        );
        checkSafe(envelope);
        expect(text).toBe(JSON.stringify(value));
        expect(toHttpStatus(envelope)).toBeGreaterThanOrEqual(200);
      });
      await fc.assert(property, { numRuns: inProcess });
      expect(registry.load).toEqual({ running: 0, waiting: 0 });
    });
  });

  describe.each(["legacy", "modern"] as const)("over stdio, %s", (era) => {
    let peer: RawStdio;
    beforeAll(async () => {
      peer = await openRawStdio("quick-stdio", era);
    });
    afterAll(() => peer.close());

    it("answers any call, keeps running, and prints nothing else", async () => {
      await assertAnswers(peer, perTransport);
      expect(peer.exitCode).toBeNull();
      expect(peer.strays).toEqual([]);
    });

    it("refuses arguments that are no object", () => assertRefuses(peer));

    it("ignores lines that are no request", async () => {
      const property = fc.asyncProperty(garbage, async (line) => {
        peer.writeLine(line);
        checkMessage(await peer.request("tools/call", { name: "echo", arguments: { text: "alive" } }));
      });
      await fc.assert(property, { numRuns: Math.ceil(perTransport / 4) });
      expect(peer.exitCode).toBeNull();
      expect(peer.strays).toEqual([]);
    });
  });

  describe("over HTTP", () => {
    let http: RunningHttpServer;
    beforeAll(async () => {
      http = await serveHttp(registry, { port: 0, logger: silentLogger });
    });
    afterAll(() => http.close());

    describe.each(["legacy", "modern"] as const)("/mcp, %s", (era) => {
      let peer: RawPeer;
      beforeAll(async () => {
        peer = await openRawHttp(`${http.url}/mcp`, era);
      });
      afterAll(() => peer.close());

      it("answers any call", () => assertAnswers(peer, perTransport));
      it("refuses arguments that are no object", () => assertRefuses(peer));
    });

    it.each(["/api/tools/echo", "/mcp"])("answers any bytes sent to %s with JSON", async (path) => {
      const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
      const property = fc.asyncProperty(garbage, async (bytes) => {
        const response = await fetch(`${http.url}${path}`, { method: "POST", body: bytes, headers });
        const text = await response.text();
        expect(findLeaks(text)).toEqual([]);
        // There is no response to a notification.
        if (response.status === 202) return;
        const body = JSON.parse(text) as Envelope & RpcMessage;
        if (path === "/mcp")
          expect(body).toMatchObject({ jsonrpc: "2.0", error: { code: expect.any(Number) } });
        else {
          checkSafe(body);
          expect(response.status).toBe(toHttpStatus(body));
        }
      });
      await fc.assert(property, { numRuns: Math.ceil(perTransport / 4) });
    });

    it("answers any call of /api with an envelope and its status", async () => {
      const call = fc.record({ call: hostileCall, formless: fc.option(formlessArguments, { freq: 5 }) });
      const property = fc.asyncProperty(call, async ({ call: { tool, args }, formless }) => {
        const path = encodeURIComponent(tool.toWellFormed()).replaceAll(".", "%2E");
        const response = await fetch(`${http.url}/api/tools/${path}`, {
          method: "POST",
          body: JSON.stringify(formless ?? args),
        });
        const envelope = (await response.json()) as Envelope;
        checkSafe(envelope);
        expect(response.status).toBe(toHttpStatus(envelope));
      });
      await fc.assert(property, { numRuns: perTransport });
      expect(registry.load).toEqual({ running: 0, waiting: 0 });
    });
  });
}

async function assertAnswers(peer: RawPeer, numRuns: number): Promise<void> {
  const property = fc.asyncProperty(hostileCall, hostileMeta, async ({ tool, args }, _meta) => {
    checkMessage(await peer.request("tools/call", { name: tool, arguments: args, _meta }));
  });
  await fc.assert(property, { numRuns });
}

/**
 * Checks arguments that the SDK itself would refuse. The response is an envelope as for any invalid input, and null
 * is valid.
 */
async function assertRefuses(peer: RawPeer): Promise<void> {
  const property = fc.asyncProperty(formlessArguments, async (args) => {
    const message = await peer.request("tools/call", { name: "echo", arguments: args });
    expect(findLeaks(JSON.stringify(message))).toEqual([]);
    checkMessage(message);
    const { data } = (message.result as { structuredContent: Envelope }).structuredContent;
    expect(data["error_code"]).toBe(args === null ? "MISSING_REQUIRED" : "INVALID_FORMAT");
  });
  await fc.assert(property, { numRuns: 20 });
  // The value is nested deeper than the call stack.
  const deep = `${'{"deep":['.repeat(20_000)}1${"]}".repeat(20_000)}`;
  const answer = await peer
    .requestText("tools/call", `{"name":"open","arguments":${deep}}`)
    .catch((thrown: unknown) => thrown as Error);
  expect(findLeaks(JSON.stringify(answer instanceof Error ? answer.message : answer))).toEqual([]);
  checkMessage(await peer.request("tools/call", { name: "echo", arguments: { text: "alive" } }));
}
