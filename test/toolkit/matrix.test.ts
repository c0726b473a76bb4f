import { checkEnvelope, type Envelope, type Failure, toHttpStatus } from "@foundry-mcp/contract";
import { type RunningHttpServer, serveHttp } from "@foundry-mcp/toolkit/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isCommand } from "./command-line.ts";
import { returnedNames, thrownNames } from "./failing-tools.ts";
import { findLeaks } from "./leaks.ts";
import { describingCalls, type MatrixCall, matrixCalls } from "./matrix-calls.ts";
import { createMatrixRegistry } from "./matrix-registry.ts";
import { withPlainNames } from "./plain-names.ts";
import { silentLogger } from "./silent-logger.ts";
import { type Answer, type Surface, surfaces } from "./surfaces.ts";

const registry = createMatrixRegistry();
const requestId = "matrix-call_1";
let http: RunningHttpServer;

beforeAll(async () => {
  http = await serveHttp(registry, { port: 0, logger: silentLogger });
});
afterAll(() => http.close());

/** Returns the envelope without its duration, and fails if there is no duration. */
function settle(envelope: unknown): Envelope {
  const { meta, data, ...rest } = envelope as Envelope;
  expect(meta.telemetry).toEqual({ duration_ms: expect.any(Number) });
  // Each surface writes the remedy in its own syntax.
  const { remediation, ...facts } = data;
  const told = "remedy" in facts || remediation === undefined ? facts : data;
  return { ...rest, data: told, meta: { ...meta, telemetry: { duration_ms: 0 } } } as Envelope;
}

const known = new Map<object, Promise<Envelope>>();

/**
 * Returns the response in process, to which all other responses are compared. The call is made once for each row.
 */
function expectedOf(row: Pick<MatrixCall, "tool" | "args">): Promise<Envelope> {
  const answer = known.get(row) ?? registry.call(row.tool, row.args, { requestId }).then(settle);
  known.set(row, answer);
  return answer;
}

/** Makes the checks that every response of a surface must pass. */
function checkAnswer({ envelope, result, response, exitCode }: Answer): void {
  expect(checkEnvelope(envelope, { deep: true })).toEqual([]);
  expect(findLeaks(JSON.stringify(result ?? envelope))).toEqual([]);
  const { success, meta } = envelope as Envelope;
  if (result !== undefined) {
    expect(result.content[0]).toEqual({ type: "text", text: JSON.stringify(result.structuredContent) });
    expect(result.isError ?? false).toBe(!success);
  }
  if (exitCode !== undefined && exitCode !== 2) expect(exitCode).toBe(success ? 0 : 1);
  if (response !== undefined) {
    expect(response.status).toBe(toHttpStatus(envelope as Envelope));
    expect(response.headers.get("x-request-id")).toBe(meta.request_id);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  }
}

/** Checks that a call of an unknown tool or action is a usage error on the command line. */
function expectUsage({ envelope, exitCode }: Answer): void {
  const { success, data, meta } = envelope as Envelope;
  expect({ success, exitCode, id: meta.request_id }).toEqual({ success: false, exitCode: 2, id: requestId });
  expect((data as Failure["data"]).error_type).toBe("validation");
}

it("covers everything that the registry can throw and return", () => {
  const tried = (tool: string) =>
    new Set(
      [...matrixCalls, ...describingCalls].flatMap(({ tool: name, args }) =>
        name === tool ? [args?.["action"]] : [],
      ),
    );
  expect([...tried("throws")].toSorted()).toEqual(thrownNames.toSorted());
  expect([...tried("returns")].toSorted()).toEqual(returnedNames.toSorted());
  expect(new Set([...matrixCalls].map(({ tool }) => tool))).toEqual(
    new Set([...registry.tools.map(({ name }) => name), "repeat", "say-again", "note-book", "notes"]),
  );
});

describe.each(surfaces)("$name", ({ open, name }) => {
  const isMcp = name.includes("SDK");
  let surface: Surface;

  beforeAll(async () => {
    surface = await open({ registry, url: http.url, script: "matrix-stdio" });
  });
  afterAll(() => surface.close());

  it.each(matrixCalls)("$title", async (row: MatrixCall) => {
    const { tool, args, gives } = row;
    const answer = await surface.call(tool, args, requestId);
    checkAnswer(answer);
    const { success, data } = answer.envelope as Envelope;
    if (name === "command line" && !isCommand(registry, tool, args)) return expectUsage(answer);
    if (typeof gives === "string") {
      expect(success).toBe(false);
      expect((data as Failure["data"]).error_code).toBe(gives);
    } else expect(data).toEqual(gives);
    const told = settle(answer.envelope);
    expect(told.meta.request_id).toBe(requestId);
    expect(withPlainNames(told)).toEqual(withPlainNames(await expectedOf(row)));
  });

  it.each(describingCalls)("$title", async (row) => {
    const answer = await surface.call(row.tool, row.args, requestId);
    checkAnswer(answer);
    expect(settle(answer.envelope)).toEqual(await expectedOf(row));
  });

  it.each(["list", "children", "scan"])("pages %s to its end", async (action) => {
    const walk = async (call: (args: Record<string, unknown>) => Promise<unknown>) => {
      const envelopes: Envelope[] = [];
      let cursor: string | null | undefined;
      do {
        envelopes.push(settle(await call({ action, limit: 7, cursor })));
        cursor = envelopes.at(-1)?.meta.pagination?.cursor;
      } while (typeof cursor === "string");
      return envelopes;
    };
    const told = await walk(async (args) => (await surface.call("note_book", args, requestId)).envelope);
    expect(told).toEqual(await walk((args) => registry.call("note_book", args, { requestId })));
    const ids = told.flatMap(({ data }) => (data["notes"] as { id: string }[]).map(({ id }) => id));
    expect(ids).toHaveLength(25);
    expect(new Set(ids).size).toBe(25);
    expect(told.map(({ meta }) => meta.pagination?.has_more)).toEqual([true, true, true, false]);
  });

  it("refuses a cursor of another query", async () => {
    const first = (await surface.call("note_book", { action: "list", limit: 2 })).envelope as Envelope;
    const { cursor } = first.meta.pagination ?? {};
    for (const args of [
      { action: "scan", cursor },
      { action: "children", cursor },
      { action: "list", cursor, min_rank: 2 },
    ]) {
      const answer = await surface.call("note_book", args, requestId);
      checkAnswer(answer);
      expect((answer.envelope as Failure).data.error_code).toBe("INVALID_CURSOR");
    }
  });

  it("sends attachments beside the envelope, and none with a failure", async () => {
    const { result } = await surface.call("attached", {});
    const failed = (await surface.call("broken", { action: "warned_failure" })).result;
    if (!isMcp) return expect([result, failed]).toEqual([undefined, undefined]);
    const data = Buffer.from("attached").toString("base64");
    expect(result?.content.slice(1)).toEqual([
      { type: "image", data, mimeType: "image/png" },
      { type: "audio", data, mimeType: "audio/wav" },
      { type: "resource_link", uri: "test://one", name: "one", size: 3 },
      { type: "resource", resource: { uri: "test://two", mimeType: "text/plain", text: "zwei" } },
      { type: "resource", resource: { uri: "test://three", blob: data } },
    ]);
    expect(failed?.content).toHaveLength(1);
    const returned = (await surface.call("envelopes", { action: "attached_failure" })).result;
    expect(returned?.content).toHaveLength(1);
  });

  it("creates a request id where none is sent", async () => {
    const { envelope } = await surface.call("nothing", {});
    const { meta } = envelope as Envelope;
    expect(meta.request_id).toMatch(/^req_[0-9a-f]{12}$/);
    expect(meta).not.toHaveProperty("client_request_id");
  });

  it.each(["not an id", "x".repeat(129), "semi;colon"])("replaces the request id %s", async (unusable) => {
    for (const tool of ["nothing", "throws"]) {
      const answer = await surface.call(tool, {}, unusable);
      checkAnswer(answer);
      const { meta } = answer.envelope as Envelope;
      expect(meta.request_id).toMatch(/^req_[0-9a-f]{12}$/);
      expect(meta["client_request_id"]).toBe(unusable);
    }
  });

  it("reports that a tool does not exist, and which tools do", async () => {
    const answer = await surface.call("ehco", { text: "hi" }, requestId);
    checkAnswer(answer);
    if (name === "command line") return expectUsage(answer);
    const { error, data } = answer.envelope as Failure;
    expect(error).toBe("Tool not found: ehco");
    expect(data).toEqual({
      error_code: "NOT_FOUND",
      error_type: "not_found",
      remediation: expect.stringMatching(/^Did you mean echo\? Use one of: echo, /),
      details: { resource_type: "tool", resource_id: "ehco", nearest: "echo" },
    });
    expect(answer.rpcCode).toBe(isMcp ? -32_602 : undefined);
    expect(settle(answer.envelope)).toEqual(settle(await registry.call("ehco", {}, { requestId })));
  });

  it("reports the caller and the surface", async () => {
    const { envelope } = await surface.call("server", { action: "context" }, requestId);
    const clients: Record<string, object> = {
      "in process": { name: "in-process" },
      "POST /api": { name: "node" },
      "command line": { name: "matrix-cli", version: "4.0.0" },
      "SDK 1": { name: "matrix-sdk-1", version: "1.0.0" },
      "SDK 2": { name: "matrix-sdk-2", version: "2.0.0" },
    };
    const [, client] = Object.entries(clients).find(([known]) => name.includes(known)) ?? [];
    const kinds: Record<string, string> = {
      "in process": "in-process",
      "POST /api": "api",
      "command line": "cli",
      stdio: "stdio",
      HTTP: "http",
    };
    const [, kind] = Object.entries(kinds).find(([known]) => name.startsWith(known)) ?? [];
    expect((envelope as Envelope).data).toEqual({
      server: { name: "matrix", version: "3.2.1" },
      client,
      principal: "local",
      role: "maintainer",
      tier: "community",
      surface: kind,
      request_id: requestId,
      dialect: "response-v2",
      settings: {
        dialect: "response-v2",
        dialects: ["response-v2", "envelope-v1", "response-v1"],
        max_tokens: 20_000,
        timeout_ms: 60_000,
        concurrency: { running: 256, waiting: 1_024 },
        validate_output: true,
        input_detail: "full",
        output_detail: "full",
        max_result_size_chars: 200_000,
      },
    });
  });

  it("reports its health", async () => {
    const { envelope } = await surface.call("server", { action: "health" });
    expect((envelope as Envelope).data).toEqual({
      status: "ok",
      uptime_seconds: expect.any(Number),
      load: { running: 1, waiting: 0 },
      checks: [],
    });
  });
});

describe("POST /api", () => {
  const post = async (path: string, body: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${http.url}${path}`, { method: "POST", body, headers });
    return { response, envelope: (await response.json()) as Failure };
  };

  it.each([
    ["text that is no JSON", "{", "INVALID_FORMAT", "body"],
    ["an array", "[]", "INVALID_FORMAT", "arguments"],
    ["a text", '"x"', "INVALID_FORMAT", "arguments"],
    ["a number", "7", "INVALID_FORMAT", "arguments"],
  ])("refuses %s with an envelope", async (_title, body, code, field) => {
    const answer = await post("/api/tools/echo", body, { "x-request-id": requestId });
    checkAnswer(answer);
    expect(answer.response.status).toBe(400);
    expect(answer.envelope.data.error_code).toBe(code);
    expect(answer.envelope.data.details?.["field"]).toBe(field);
    expect(settle(answer.envelope).meta.request_id).toBe(requestId);
  });

  it("takes an empty body and null for no arguments", async () => {
    for (const body of ["", " ", "null"]) {
      const answer = await post("/api/tools/nothing", body);
      checkAnswer(answer);
      expect(answer.envelope.success).toBe(true);
    }
  });

  it("tells an unusable request id also where no tool is reached", async () => {
    for (const [path, body] of [
      ["/api/tools/echo", "{"],
      ["/nowhere", "{}"],
    ] as const) {
      const answer = await post(path, body, { "x-request-id": "not an id" });
      checkAnswer(answer);
      expect(answer.envelope.meta["client_request_id"]).toBe("not an id");
    }
  });

  it("sends Retry-After with what can be tried again", async () => {
    const limited = await post("/api/tools/throws", '{"action":"rate_limited"}');
    expect(limited.response.headers.get("retry-after")).toBe("7");
    const gone = await post("/api/tools/throws", '{"action":"unavailable"}');
    expect(gone.response.headers.get("retry-after")).toBe("3");
  });

  it("answers a route that does not exist with an envelope", async () => {
    const answer = await post("/api/tool/echo", "{}");
    checkAnswer(answer);
    expect(answer.response.status).toBe(404);
    const { envelope: wrongMethod } = { envelope: await (await fetch(`${http.url}/api/tools/echo`)).json() };
    expect(checkEnvelope(wrongMethod, { deep: true })).toEqual([]);
  });
});
