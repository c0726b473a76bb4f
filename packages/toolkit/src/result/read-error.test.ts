import { ContractError, checkEnvelope, errorResponse } from "@foundry-mcp/contract";
import { ProtocolError, SdkError, type SdkErrorCode, SdkHttpError } from "@modelcontextprotocol/client";
import { McpError } from "@modelcontextprotocol/sdk/types.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readProtocolError } from "./read-error.ts";

const sdk = (code: string, message = "x", data?: unknown) =>
  new SdkError(code as SdkErrorCode, message, data);
const http = (status: number, text = "") =>
  new SdkHttpError("CLIENT_HTTP_NOT_IMPLEMENTED" as SdkErrorCode, "x", { status, text });
const withCode = (code: string, message = "x") => Object.assign(new Error(message), { code });
const because = (cause: unknown) => new TypeError("fetch failed", { cause });
const mayHaveRun = { may_have_run: true };

describe("readProtocolError", () => {
  it.each<[string, unknown, string, object]>([
    ["-32602", new ProtocolError(-32602, "Bad"), "VALIDATION_ERROR", { rpc_code: -32602 }],
    ["-32601", new ProtocolError(-32601, "x"), "NOT_IMPLEMENTED", { rpc_code: -32601 }],
    ["-32600", new ProtocolError(-32600, "x"), "INVALID_FORMAT", { rpc_code: -32600 }],
    ["-32700", new ProtocolError(-32700, "x"), "INVALID_FORMAT", { rpc_code: -32700 }],
    ["-32603", new ProtocolError(-32603, "x"), "UPSTREAM_ERROR", { rpc_code: -32603, ...mayHaveRun }],
    ["-32002", new ProtocolError(-32002, "x"), "NOT_FOUND", { rpc_code: -32002 }],
    [
      "a status in a JSON-RPC error",
      new ProtocolError(-32050, "x", { status: 404 }),
      "NOT_FOUND",
      { rpc_code: -32050, status: 404 },
    ],
    [
      "a status as JSON-RPC code",
      new ProtocolError(429, "x"),
      "RATE_LIMIT_EXCEEDED",
      { rpc_code: 429, status: 429 },
    ],
    [
      "an own code beside a status",
      new ProtocolError(-32602, "x", { status: 500 }),
      "VALIDATION_ERROR",
      { rpc_code: -32602 },
    ],
    ["1.x -32602", new McpError(-32602, "Bad"), "VALIDATION_ERROR", { rpc_code: -32602 }],
    [
      "1.x time-out",
      new McpError(-32001, "Request timed out"),
      "TIMEOUT",
      { rpc_code: -32001, ...mayHaveRun },
    ],
    ["1.x closed", new McpError(-32000, "Connection closed"), "UNAVAILABLE", mayHaveRun],
    ["other -32000", new McpError(-32000, "Odd"), "UPSTREAM_ERROR", { rpc_code: -32000, ...mayHaveRun }],
    ["2.x time-out", sdk("REQUEST_TIMEOUT"), "TIMEOUT", mayHaveRun],
    ["2.x closed", sdk("CONNECTION_CLOSED"), "UNAVAILABLE", mayHaveRun],
    ["2.x not connected", sdk("NOT_CONNECTED"), "UNAVAILABLE", {}],
    ["2.x bare", new Error("Not connected"), "UNAVAILABLE", {}],
    ["2.x invalid result", sdk("INVALID_RESULT"), "UPSTREAM_ERROR", mayHaveRun],
    [
      "2.x unsupported type",
      sdk("UNSUPPORTED_RESULT_TYPE", "x", { resultType: "task" }),
      "NOT_IMPLEMENTED",
      { result_type: "task" },
    ],
    ["refused", because(withCode("ECONNREFUSED")), "DEPENDENCY_UNAVAILABLE", { reason: "ECONNREFUSED" }],
    ["reset", because(withCode("ECONNRESET")), "UNAVAILABLE", { reason: "ECONNRESET", ...mayHaveRun }],
    [
      "a slow connect",
      because(withCode("UND_ERR_CONNECT_TIMEOUT")),
      "TIMEOUT",
      { reason: "UND_ERR_CONNECT_TIMEOUT" },
    ],
    [
      "no command",
      withCode("ENOENT", "spawn /home/me/tool ENOENT"),
      "DEPENDENCY_UNAVAILABLE",
      { reason: "ENOENT" },
    ],
    [
      "a port of another protocol",
      sdk("ERA_NEGOTIATION_FAILED", "x", { cause: because(new Error("bad port")) }),
      "DEPENDENCY_UNAVAILABLE",
      { reason: "BAD_PORT" },
    ],
    ["a redirect", because(new Error("unexpected redirect")), "UPSTREAM_ERROR", {}],
    [
      "a fetch that says no more",
      sdk("ERA_NEGOTIATION_FAILED", "x", { cause: new TypeError("fetch failed") }),
      "UNAVAILABLE",
      mayHaveRun,
    ],
    [
      "a certificate",
      because(withCode("DEPTH_ZERO_SELF_SIGNED_CERT")),
      "DEPENDENCY_UNAVAILABLE",
      { reason: "DEPTH_ZERO_SELF_SIGNED_CERT" },
    ],
    [
      "no TLS",
      because(withCode("ERR_SSL_WRONG_VERSION_NUMBER")),
      "DEPENDENCY_UNAVAILABLE",
      { reason: "ERR_SSL_WRONG_VERSION_NUMBER" },
    ],
    [
      "no HTTP",
      because(withCode("HPE_INVALID_CONSTANT")),
      "DEPENDENCY_UNAVAILABLE",
      { reason: "HPE_INVALID_CONSTANT" },
    ],
    ["AbortError", new DOMException("x", "AbortError"), "CANCELLED", {}],
    ["HTTP 401", http(401), "UNAUTHORIZED", { status: 401 }],
    ["HTTP 403", http(403), "FORBIDDEN", { status: 403 }],
    ["HTTP 404", http(404), "NOT_FOUND", { status: 404 }],
    ["HTTP 429", http(429), "RATE_LIMIT_EXCEEDED", { status: 429 }],
    ["HTTP 500", http(500), "UNAVAILABLE", { status: 500, ...mayHaveRun }],
    ["HTTP 504", http(504), "TIMEOUT", { status: 504, ...mayHaveRun }],
    ["1.x HTTP", Object.assign(new Error("x"), { code: 404 }), "NOT_FOUND", { status: 404 }],
    ["no JSON", new SyntaxError("Unexpected token"), "UPSTREAM_ERROR", mayHaveRun],
    ["anything else", new Error("secret"), "UPSTREAM_ERROR", mayHaveRun],
    ["nothing", undefined, "UPSTREAM_ERROR", mayHaveRun],
  ])("classifies %s", (_, thrown, code, details) => {
    const { data, error } = readProtocolError(thrown);
    expect({ code: data.error_code, details: data.details ?? {} }).toEqual({ code, details });
    expect(error).not.toContain("secret");
    expect(error).not.toContain("/home");
  });

  it("repeats the message of the server without prefixes, stack traces and paths", () => {
    const said = new McpError(
      -32602,
      "Cannot read /srv/app/data/x.json: bad\n    at run (/srv/app/run.js:1:2)",
    );
    expect(readProtocolError(said, { requestId: "req_1" })).toEqual(
      errorResponse("Cannot read (path): bad", {
        errorCode: "VALIDATION_ERROR",
        remediation: "Correct the arguments that the message names and call again.",
        details: { rpc_code: -32602 },
        requestId: "req_1",
      }),
    );
    expect(readProtocolError(new ProtocolError(-32050, "boom", { status: 404 })).error).toBe("boom");
    expect(readProtocolError(new ProtocolError(-32602, "See https://example.com/a/b")).error).toBe(
      "See https://example.com/a/b",
    );
  });

  it("returns the envelope in the error", () => {
    const sent = errorResponse("Unknown tool: x", { errorCode: "VALIDATION_ERROR", requestId: "req_server" });
    const rpc = { jsonrpc: "2.0", id: 1, error: { code: -32602, message: "x", data: sent } };
    for (const thrown of [
      new ProtocolError(-32602, "x", sent),
      new McpError(-32602, "x", sent),
      http(400, JSON.stringify(sent)),
      http(400, JSON.stringify(rpc)),
      new ContractError(sent.error, { ...toOptions(sent), requestId: "req_server" }),
    ]) {
      expect(readProtocolError(thrown, { requestId: "req_mine" })).toEqual(sent);
    }
  });

  it("returns the envelope that shares the error's data with members of the protocol", () => {
    const failure = errorResponse("Ask elsewhere", { errorCode: "NOT_IMPLEMENTED", requestId: "req_1" });
    const data = { ...failure, requiredCapabilities: { elicitation: {} } };
    expect(readProtocolError(new ProtocolError(-32_021, "x", data), { requestId: "req_1" })).toEqual(failure);
  });

  it("tells an abort from a timeout by the signal", () => {
    const thrown = sdk("REQUEST_TIMEOUT", "AbortError");
    expect(readProtocolError(thrown, { signal: AbortSignal.abort() }).data.error_code).toBe("CANCELLED");
    const late = AbortSignal.abort(new DOMException("x", "TimeoutError"));
    expect(readProtocolError(thrown, { signal: late }).data.error_code).toBe("TIMEOUT");
  });

  it("omits may_have_run while connecting", () => {
    const failure = readProtocolError(sdk("CONNECTION_CLOSED"), { called: false });
    expect(failure.data).toEqual({
      error_code: "UNAVAILABLE",
      error_type: "unavailable",
      remediation: "Try again with increasing delays.",
    });
  });

  it("returns a valid failure for any value, also with a cycle of causes", () => {
    const circle = new Error("x");
    circle.cause = circle;
    expect(readProtocolError(circle).data.error_code).toBe("UPSTREAM_ERROR");
    const members = {
      code: fc.anything(),
      data: fc.anything(),
      message: fc.anything(),
      cause: fc.anything(),
    };
    fc.assert(
      fc.property(fc.oneof(fc.record(members, { requiredKeys: [] }), fc.anything()), (thrown) => {
        expect(checkEnvelope(readProtocolError(thrown)).filter(({ level }) => level === "MUST")).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });
});

function toOptions({ data }: ReturnType<typeof errorResponse>) {
  return { errorCode: data.error_code, remediation: data.remediation };
}
