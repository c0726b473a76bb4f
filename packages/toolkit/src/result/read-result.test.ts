import {
  checkEnvelope,
  type Envelope,
  errorResponse,
  successResponse,
  toEnvelopeV1,
  toResponseV1,
} from "@foundry-mcp/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCallToolResult } from "./read-result.ts";

const text = (...texts: string[]) => texts.map((each) => ({ type: "text", text: each }));
const isError = true;

/** The warning in an envelope that was converted from another server's result. */
function normalized(source: string) {
  const message = `The answer was not an envelope; this one was built from ${source}`;
  return {
    warnings: [message],
    warning_details: [{ code: "UPSTREAM_NORMALIZED", severity: "info", message, context: { source } }],
  };
}

function foreign(source: string, data: object, meta: object = {}): Envelope<object> {
  return successResponse(data, { meta: { ...normalized(source), ...meta } });
}

/** The warnings of an answer with numbers that are kept as texts. */
function keptIn(source: string, count: number) {
  const { warnings, warning_details: details } = normalized(source);
  const what = count === 1 ? "A number is a text" : `${count} numbers are texts`;
  const message = `${what} in this answer, so that no digits are lost`;
  const detail = { code: "UPSTREAM_NORMALIZED", severity: "info", message, context: { count } };
  return { warnings: [...warnings, message], warning_details: [...details, detail] };
}

describe("readCallToolResult of an envelope", () => {
  const sent = successResponse({ a: 1 }, { requestId: "req_server" });

  it("reads it from the structured content, or else from the first text", () => {
    expect(readCallToolResult({ structuredContent: sent, content: text("other") })).toEqual(sent);
    expect(readCallToolResult({ content: text(JSON.stringify(sent), "more") })).toEqual(sent);
    const both = { structuredContent: { other: true }, content: text(JSON.stringify(sent)) };
    expect(readCallToolResult(both)).toEqual(sent);
  });

  it("reads every dialect", () => {
    const identity = {
      toolId: "t",
      toolVersion: "1.0.0",
      tier: "pro",
      capabilities: ["envelope-v1"],
    } as const;
    const failure = errorResponse("No", { errorCode: "FORBIDDEN" });
    expect(readCallToolResult({ structuredContent: toEnvelopeV1(failure, identity), isError })).toMatchObject(
      {
        success: false,
        error: "No",
        data: { error_code: "FORBIDDEN" },
      },
    );
    expect(readCallToolResult({ structuredContent: toResponseV1(sent) })).toMatchObject({
      success: true,
      data: { a: 1 },
    });
  });

  it("keeps all digits of its numbers, with a warning", () => {
    const sentText = JSON.stringify(successResponse({ id: "N" })).replace('"N"', "9007199254740993");
    const { data, meta } = readCallToolResult({ content: text(sentText) });
    expect([data, meta.warnings]).toEqual([
      { id: "9007199254740993" },
      ["A number is a text in this answer, so that no digits are lost"],
    ]);
    const envelope = readCallToolResult({ content: text(sentText) });
    expect(checkEnvelope(envelope)).toEqual(
      checkEnvelope(successResponse({ id: "x" }, { meta: envelope.meta })),
    );
  });

  it("warns if structured content has numbers that may be rounded", () => {
    const { data, meta } = readCallToolResult({ structuredContent: { ids: [2 ** 60, 1, 2 ** 60] } });
    expect(data).toEqual({ ids: [2 ** 60, 1, 2 ** 60] });
    expect(meta.warnings?.at(-1)).toBe("2 numbers of this answer may be rounded: the digits exceed 53 bits");
  });

  it("adds the request id only where there is none", () => {
    const bare = successResponse({});
    const context = { requestId: "req_mine" };
    expect(readCallToolResult({ structuredContent: sent }, context)).toEqual(sent);
    expect(readCallToolResult({ structuredContent: bare }, context)).toEqual(
      successResponse({}, { requestId: "req_mine" }),
    );
    expect(readCallToolResult({ structuredContent: bare }, { requestId: "not an id" })).toEqual(bare);
  });
});

describe("readCallToolResult of a foreign answer", () => {
  it.each<[string, object, Envelope<object>]>([
    ["structured content", { structuredContent: { a: 1 } }, foreign("structured content", { a: 1 })],
    ["a list", { structuredContent: [1] }, foreign("structured content", { result: [1] })],
    ["null", { structuredContent: null }, foreign("structured content", { result: null })],
    ["a JSON object", { content: text('{"a":1}') }, foreign("JSON text", { a: 1 })],
    ["other JSON", { content: text("[1,2]") }, foreign("JSON text", { result: [1, 2] })],
    ["a number", { content: text("42") }, foreign("JSON text", { result: 42 })],
    [
      "a number that would change",
      { content: text("12345678901234567890") },
      foreign("text", { text: "12345678901234567890" }),
    ],
    [
      "numbers that would change",
      { content: text('{"id":12345678901234567890123,"n":[9007199254740993,1]}') },
      foreign(
        "JSON text",
        { id: "12345678901234567890123", n: ["9007199254740993", 1] },
        keptIn("JSON text", 2),
      ),
    ],
    [
      "numbers that would change in a copy in text",
      { structuredContent: JSON.parse('{"id":9007199254740993}'), content: text('{"id": 9007199254740993}') },
      foreign("structured content", { id: "9007199254740993" }, keptIn("structured content", 1)),
    ],
    [
      "numbers that would change in a copy of what was wrapped",
      {
        structuredContent: { result: JSON.parse("[9007199254740993]") },
        content: text("[9007199254740993]"),
      },
      foreign("structured content", { result: ["9007199254740993"] }, keptIn("structured content", 1)),
    ],
    ["text", { content: text("a", "b") }, foreign("text", { text: "a\nb" })],
    ["broken JSON", { content: text('{"a":') }, foreign("text", { text: '{"a":' })],
    ["nothing", { content: [] }, foreign("nothing", {})],
    [
      "a copy in text",
      { structuredContent: { a: 1 }, content: text('{ "a": 1 }') },
      foreign("structured content", { a: 1 }),
    ],
    [
      "a copy of what was wrapped",
      { structuredContent: { result: [1] }, content: text("[1]") },
      foreign("structured content", { result: [1] }),
    ],
    [
      "a text that a member has already",
      { structuredContent: { content: "file 1\n" }, content: text("file 1\n") },
      foreign("structured content", { content: "file 1\n" }),
    ],
    [
      "a list in text that a member has already",
      { structuredContent: { entities: [{ a: 1 }], n: 1 }, content: text('[\n {"a": 1}\n]') },
      foreign("structured content", { entities: [{ a: 1 }], n: 1 }),
    ],
    [
      "a text beside it",
      { structuredContent: { a: 1 }, content: text("one") },
      foreign("structured content", { a: 1, text: "one" }),
    ],
    [
      "a text beside a key of that name",
      { structuredContent: { text: 1 }, content: text("one") },
      foreign("structured content", { text: 1 }, { upstream_text: "one" }),
    ],
  ])("converts %s to data", (_, result, expected) => {
    expect(readCallToolResult(result)).toEqual(expected);
  });

  it("describes blocks that are not text, without their bytes", () => {
    const content = [
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "audio", data: "AAA=", mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "file:///a", mimeType: "text/plain", text: "ü" } },
      { type: "resource", resource: { uri: "file:///b", blob: "AAAAAA==" } },
      { type: "resource_link", uri: "https://x/y", name: "y", size: 12 },
      { type: "image", data: "AAAA", mimeType: "image/png", uri: `data:${"A".repeat(1_000)}` },
    ];
    expect(readCallToolResult({ content }).data).toEqual({
      content: [
        { type: "image", mimeType: "image/png", bytes: 3 },
        { type: "audio", mimeType: "audio/wav", bytes: 2 },
        { type: "resource", uri: "file:///a", mimeType: "text/plain", bytes: 2 },
        { type: "resource", uri: "file:///b", bytes: 4 },
        { type: "resource_link", uri: "https://x/y", name: "y", bytes: 12 },
        { type: "image", mimeType: "image/png", bytes: 3, uri: `data:${"A".repeat(494)}…` },
      ],
    });
  });

  it.each([
    [{ resultType: "input_required", inputRequests: {} }, "input_required"],
    [{ resultType: "task" }, "task"],
    [{ task: { taskId: "1" } }, "task"],
    [{ resultType: 7 }, "number"],
  ])("fails for a result that is not complete: %j", (result, type) => {
    expect(readCallToolResult(result)).toEqual(
      errorResponse(`The answer is not complete: its result type is "${type}", wanted "complete"`, {
        errorCode: "NOT_IMPLEMENTED",
        remediation: `Call with a client that handles results of type ${type}.`,
        details: { result_type: type },
      }),
    );
  });

  it.each([null, undefined, 5, "text", [1]])("fails for %j, which is no result", (result) => {
    expect(readCallToolResult(result).data).toMatchObject({ error_code: "UPSTREAM_ERROR" });
  });
});

describe("readCallToolResult of a foreign failure", () => {
  it("keeps the whole answer", () => {
    const payload = { error: { message: "Slow down", status: 429, retry_after: "9" } };
    expect(readCallToolResult({ structuredContent: payload, isError })).toEqual({
      success: false,
      data: {
        error_code: "RATE_LIMIT_EXCEEDED",
        error_type: "rate_limit",
        remediation: "Wait for retry_after_seconds, then call again.",
        details: { status: 429 },
        retry_after_seconds: 9,
        upstream: payload,
      },
      error: "Slow down",
      meta: { version: "response-v2", ...normalized("an error object") },
    });
  });

  const statuses = {
    400: "VALIDATION_ERROR",
    401: "UNAUTHORIZED",
    404: "NOT_FOUND",
    418: "VALIDATION_ERROR",
  };
  it.each<[object, string, object]>([
    ...Object.entries(statuses).map(
      ([status, code]) =>
        [{ status: Number(status) }, code, { status: Number(status) }] as [object, string, object],
    ),
    [{ statusCode: "503" }, "UNAVAILABLE", { status: 503, may_have_run: true }],
    [{ status: 500 }, "UPSTREAM_ERROR", { status: 500, may_have_run: true }],
    [{ status: 200, code: "not_found" }, "NOT_FOUND", { upstream_code: "not_found" }],
    [{ error: { code: "PERMISSION_DENIED" } }, "FORBIDDEN", { upstream_code: "PERMISSION_DENIED" }],
    [{ errors: [{ type: "ValidationError" }] }, "VALIDATION_ERROR", {}],
    [{ code: -32602 }, "VALIDATION_ERROR", { upstream_code: -32602 }],
    [{ error_code: "SPEC_NOT_FOUND" }, "SPEC_NOT_FOUND", {}],
    [{ code: "E_ODD" }, "UPSTREAM_ERROR", { upstream_code: "E_ODD", may_have_run: true }],
  ])("reads the code from numbers and names: %j", (payload, code, details) => {
    for (const result of [
      { structuredContent: payload, isError },
      { content: text(JSON.stringify(payload)), isError },
    ]) {
      const { data } = readCallToolResult(result);
      expect({ code: data["error_code"], details: data["details"] ?? {} }).toEqual({ code, details });
    }
  });

  it.each([
    ["Error: file not found", "NOT_FOUND"],
    ["ENOENT: no such file or directory", "NOT_FOUND"],
    ["The request timed out after 30 s", "TIMEOUT"],
    ["API rate limit exceeded", "RATE_LIMIT_EXCEEDED"],
    ["Permission denied", "FORBIDDEN"],
    ["Invalid API key", "UNAUTHORIZED"],
    ["Request failed with status code 404", "NOT_FOUND"],
    ["HTTP 503 Service Unavailable", "UNAVAILABLE"],
    ["Input validation error: Invalid arguments for tool x", "VALIDATION_ERROR"],
    ["connect ECONNREFUSED 127.0.0.1:5432", "DEPENDENCY_UNAVAILABLE"],
    ["Repository already exists", "DUPLICATE_ENTRY"],
    ["field 'q' is required", "MISSING_REQUIRED"],
    ["That is not supported", "NOT_IMPLEMENTED"],
  ])("guesses from the words %j, and marks the guess", (words, code) => {
    const envelope = readCallToolResult({ content: text(words), isError });
    expect(envelope.error).toBe(words);
    expect(envelope.data).toMatchObject({ error_code: code, details: { guessed: true } });
  });

  it("does not mark a number in a fixed format as a guess", () => {
    const { data } = readCallToolResult({ content: text("MCP error -32602: Bad"), isError });
    expect(data).toMatchObject({ error_code: "VALIDATION_ERROR" });
    expect(data["details"]).toBeUndefined();
  });

  it.each(["It broke", "Retimeoutable? no", "MCP error -32603: It broke"])(
    "is UPSTREAM_ERROR without a guess for %j",
    (words) => {
      const { data } = readCallToolResult({ content: text(words), isError });
      expect(data).toMatchObject({ error_code: "UPSTREAM_ERROR", details: { may_have_run: true } });
    },
  );

  it("shortens the message, removes the stack trace, and keeps the text", () => {
    const stack = "Error: It broke\n    at run (/srv/app/run.js:1:2)\n    at main (/srv/app/main.js:3:4)";
    expect(readCallToolResult({ content: text(stack), isError })).toMatchObject({
      error: "Error: It broke",
      data: { text: stack },
    });
    const trace = 'Traceback (most recent call last):\n  File "/srv/a.py", line 1\nValueError: bad';
    expect(readCallToolResult({ content: text(trace), isError }).error).toBe("ValueError: bad");
    const long = readCallToolResult({ content: text("x".repeat(9_000)), isError });
    expect(long.error).toBe(`${"x".repeat(1_999)}…`);
    expect(readCallToolResult({ content: [], isError }).error).toBe("The tool failed without saying why");
  });
});

describe("readCallToolResult of anything", () => {
  const block = fc.oneof(
    fc.record({ type: fc.constant("text"), text: fc.oneof(fc.string(), fc.json()) }),
    fc.record({ type: fc.constantFrom("image", "resource"), data: fc.anything(), resource: fc.anything() }),
    fc.anything(),
  );
  const result = fc.oneof(
    fc.record(
      {
        content: fc.oneof(fc.array(block, { maxLength: 4 }), fc.jsonValue()),
        structuredContent: fc.jsonValue(),
        isError: fc.oneof(fc.boolean(), fc.jsonValue()),
        resultType: fc.oneof(fc.constant("complete"), fc.string()),
      },
      { requiredKeys: [] },
    ),
    fc.anything(),
  );

  it("returns a valid envelope and never throws", () => {
    fc.assert(
      fc.property(result, (given) => {
        const envelope = readCallToolResult(given, { requestId: "req_1" });
        expect(checkEnvelope(envelope).filter(({ level }) => level === "MUST")).toEqual([]);
        expect(envelope.meta.request_id).toBeDefined();
      }),
      { numRuns: 3_000 },
    );
  });

  it("survives a result that throws when it is read", () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error("no");
        },
        has: () => {
          throw new Error("no");
        },
      },
    );
    expect(readCallToolResult(hostile).data).toMatchObject({ error_code: "UPSTREAM_ERROR" });
  });
});
