import { readFileSync } from "node:fs";
import { type Envelope, successResponse } from "@foundry-mcp/contract";
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import type { Connection } from "./connection.ts";
import { connect } from "./connection.ts";
import { defaultClientInfo } from "./open-client.ts";
import { fixtureCommand, type HttpFixture, startHttpFixture } from "./testing/start-fixture.ts";

const requestId = "req_test";
const meta = { version: "response-v2", request_id: requestId };

/** Returns the envelope into which an answer without an envelope is converted. */
function normalized(source: string, data: object): Envelope<object> {
  const message = `The answer was not an envelope; this one was built from ${source}`;
  const detail = { code: "UPSTREAM_NORMALIZED", severity: "info", message, context: { source } };
  return {
    success: true,
    data,
    error: null,
    meta: { ...meta, warnings: [message], warning_details: [detail] },
  } as Envelope<object>;
}

async function drain(walk: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of walk);
}

const servers = [
  { server: "stdio, SDK 2", fixture: "stdio-v2", protocol: "auto", version: "2026-07-28" },
  {
    server: "stdio, SDK 2, asked the old way",
    fixture: "stdio-v2",
    protocol: "legacy",
    version: "2025-11-25",
  },
  { server: "stdio, SDK 1.x", fixture: "stdio-v1", protocol: "auto", version: "2025-11-25" },
  { server: "HTTP, SDK 2", fixture: "http-v2", protocol: "2026-07-28", version: "2026-07-28" },
  { server: "HTTP, SDK 1.x with sessions", fixture: "http-v1", protocol: "auto", version: "2025-11-25" },
] as const;

describe.each(servers)("a connection over $server", ({ fixture, protocol, version }) => {
  const isHttp = fixture.startsWith("http");
  const sdk = fixture.slice(-1);
  let http: HttpFixture | undefined;
  let connection: Connection;
  const call = (name: string, args?: object) => connection.callTool(name, args, { requestId });

  beforeAll(async () => {
    http = isHttp ? await startHttpFixture(fixture) : undefined;
    connection = await connect(http?.url ?? fixtureCommand(fixture), { protocol });
  });
  afterAll(async () => {
    await connection.close();
    await http?.stop();
  });

  it("reports the server and the protocol version", async () => {
    expect(connection.serverInfo).toEqual({ name: `fixture-v${sdk}`, version: `${sdk}.0.0` });
    expect(connection.protocolVersion).toBe(version);
    const tools = await connection.listTools();
    expect(tools.map(({ name }) => name)).toContain("echo");
  });

  it("returns envelopes unchanged, with the request id", async () => {
    expect(await call("echo", { a: [1, "ü"] })).toEqual(
      successResponse({ args: { a: [1, "ü"] } }, { requestId }),
    );
    expect(await call("missing")).toEqual({
      success: false,
      data: {
        error_code: "SPEC_NOT_FOUND",
        error_type: "not_found",
        remediation: "List the specs.",
        details: { resource_type: "spec", resource_id: "s" },
      },
      error: "Spec not found: s",
      meta,
    });
  });

  it("creates a request id, and moves an invalid one to client_request_id", async () => {
    const { meta: own } = await connection.callTool("echo");
    expect(own.request_id).toMatch(/^req_[0-9a-f]{12}$/);
    const { meta: other } = await connection.callTool("echo", {}, { requestId: "not an id" });
    expect(other).toMatchObject({
      request_id: expect.stringMatching(/^req_/),
      client_request_id: "not an id",
    });
  });

  it("reads the envelope in the error of an unknown tool", async () => {
    expect(await call("nope")).toEqual({
      success: false,
      data: { error_code: "VALIDATION_ERROR", error_type: "validation", remediation: "Use echo." },
      error: "Unknown tool: nope",
      meta,
    });
  });

  it.each([
    ["plain", normalized("text", { text: "one\ntwo" })],
    ["broken", normalized("text", { text: '{"a": ' })],
    ["violates", normalized("structured content", { n: "not a number" })],
    ["unstructured", normalized("text", { text: "no structure" })],
  ])("converts the foreign answer of %s to an envelope", async (name, expected) => {
    // After the tools are listed, the SDK would validate answers against the output schemas.
    await connection.listTools();
    expect(await call(name)).toEqual(expected);
  });

  it("converts structured content that is no object", async () => {
    const envelope = await call("array");
    if (version === "2026-07-28") {
      expect(envelope).toEqual(normalized("structured content", { result: [1, 2] }));
      return;
    }
    // Before protocol version 2026-07-28, the server's SDK refuses to send this answer; the arguments are not at
    // fault.
    expect(envelope).toMatchObject({
      success: false,
      data: { error_code: "UPSTREAM_ERROR", details: { rpc_code: -32602, may_have_run: true } },
      error: expect.stringMatching(/^Invalid tools\/call result: /),
    });
  });

  it("converts a foreign failure to a typed one", async () => {
    expect(await call("refused")).toMatchObject({
      success: false,
      data: { error_code: "NOT_FOUND", error_type: "not_found", details: { guessed: true } },
      error: "File not found: notes.txt",
      meta,
    });
  });

  it("refers to images, and passes them to onContent", async () => {
    const blocks: object[] = [];
    const envelope = await connection.callTool(
      "picture",
      {},
      { requestId, onContent: (given) => blocks.push(...given) },
    );
    const content = [{ type: "image", mimeType: "image/png", bytes: 8 }];
    expect(envelope).toEqual(normalized("text", { text: "see", content }));
    expect(blocks).toEqual([{ type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" }]);
  });

  it("times out on a server that hangs", async () => {
    expect(await connection.callTool("hang", {}, { requestId, timeoutMs: 50 })).toEqual({
      success: false,
      data: {
        error_code: "TIMEOUT",
        error_type: "unavailable",
        remediation: "Check whether the work was done; repeat the call only if the work may be done twice.",
        details: { may_have_run: true },
      },
      error: "The server did not answer in time",
      meta,
    });
  });

  it("receives progress, and cancels the call on the server", async () => {
    const before = await call("cancellations");
    const controller = new AbortController();
    const { signal } = controller;
    const heard: object[] = [];
    const onProgress = (progress: object) => {
      heard.push(progress);
      controller.abort();
    };
    const envelope = await connection.callTool("hang", {}, { requestId, signal, onProgress });
    expect(heard).toEqual([{ progress: 1, total: 2 }]);
    expect(envelope).toEqual({
      success: false,
      data: {
        error_code: "CANCELLED",
        error_type: "unavailable",
        remediation: "Call again if the result is still wanted.",
      },
      error: "The call was cancelled",
      meta,
    });
    const seen = (answer: Envelope) => Number((answer.data as { cancellations: number }).cancellations);
    await expect.poll(async () => seen(await call("cancellations"))).toBeGreaterThan(seen(before));
  });

  it("does not call when the signal is already aborted", async () => {
    const envelope = await connection.callTool("echo", {}, { signal: AbortSignal.abort() });
    expect(envelope.data).toMatchObject({ error_code: "CANCELLED" });
  });

  it("refuses arguments that JSON cannot hold", async () => {
    const loop: Record<string, unknown> = {};
    loop["self"] = loop;
    expect(await call("echo", { loop })).toMatchObject({
      data: { error_code: "INVALID_FORMAT", details: { field: "arguments.loop.self", constraint: "json" } },
      error: "Cannot send the call: arguments.loop.self holds a cycle, wanted what JSON can hold",
    });
  });

  it("iterates over pages", async () => {
    const rows: number[] = [];
    for await (const { data } of connection.pages<{ rows: number[] }>("list")) rows.push(...data.rows);
    expect(rows).toEqual([1, 2, 3, 4, 5]);
    const some: number[] = [];
    for await (const { data } of connection.pages<{ rows: number[] }>(
      "list",
      { cursor: "2" },
      { maxPages: 1 },
    ))
      some.push(...data.rows);
    expect(some).toEqual([3, 4]);
    const endless = drain(connection.pages("loop"));
    await expect(endless).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
  });

  it("retries only what the tool declares idempotent", async () => {
    expect(await connection.callTool("flaky", { action: "read" }, { requestId, retry: true })).toMatchObject({
      success: true,
    });
    expect(await connection.callTool("flaky", { action: "write" }, { retry: true })).toMatchObject({
      success: false,
      error: "Slow",
    });
    const told = await connection.callTool("flaky", { action: "write" }, { retry: { idempotent: true } });
    expect(told.success).toBe(true);
  });

  it("types the payload", async () => {
    const envelope = await connection.callTool<{ n: number }>("echo");
    if (envelope.success) expectTypeOf(envelope.data).toEqualTypeOf<{ n: number }>();
  });
});

describe("defaultClientInfo", () => {
  it("has the version of the package", () => {
    const manifest = new URL("../../package.json", import.meta.url);
    expect(defaultClientInfo.version).toBe(
      (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version,
    );
  });
});
