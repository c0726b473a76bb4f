import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import type { Logger } from "../context/logger.ts";
import { defineTool } from "../define/tool.ts";
import { createRegistry } from "../registry/registry.ts";
import { createHttpApp, type HttpApp } from "./http-app.ts";
import { type RunningHttpServer, serveHttp } from "./serve-http.ts";

const echo = defineTool({
  name: "echo",
  version: "1.0.0",
  description: "Returns its value",
  input: z.object({ value: z.json() }),
  run: ({ value }) => ({ value }),
});
const registry = createRegistry({ name: "s", version: "1.0.0", tools: [echo] });

const levels = 100_000;
const deep = {
  lists: "[".repeat(levels) + "]".repeat(levels),
  objects: `${'{"a":'.repeat(levels)}0${"}".repeat(levels)}`,
  mixed: `${'{"a":['.repeat(levels / 2)}${"]}".repeat(levels / 2)}`,
};
const open = "[".repeat(levels);

/** Creates a logger that stores its lines. */
function keepLines() {
  const lines: [level: string, message: string, facts: object][] = [];
  const keep = (level: string) => (facts: object, message: string) =>
    void lines.push([level, message, facts]);
  const logger: Logger = {
    debug: keep("debug"),
    info: keep("info"),
    warn: keep("warn"),
    error: keep("error"),
    child: () => logger,
  };
  return { lines, logger };
}

const headers = {
  host: "127.0.0.1",
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

async function post(
  app: HttpApp,
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  more: Record<string, string> = {},
) {
  const request = new Request(`http://127.0.0.1${path}`, {
    method: "POST",
    headers: { ...headers, ...more },
    body,
  });
  const response = await app.fetch(request);
  const text = await response.text();
  const json = /^(?:event|id|retry|data):/m.test(text)
    ? text
        .split("\n")
        .findLast((line) => line.startsWith("data: {"))
        ?.slice(6)
    : text;
  return { status: response.status, body: JSON.parse(json ?? "null"), headers: response.headers };
}

async function openSession(app: HttpApp): Promise<Record<string, string>> {
  const clientInfo = { name: "c", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const message = { jsonrpc: "2.0", id: 1, method: "initialize", params };
  const answer = await post(app, "/mcp", JSON.stringify(message));
  return {
    "mcp-session-id": String(answer.headers.get("mcp-session-id")),
    "mcp-protocol-version": "2025-11-25",
  };
}

const refusal = (field: string) => ({
  success: false,
  data: {
    error_code: "VALIDATION_ERROR",
    error_type: "validation",
    remediation: `Nest lists and objects in ${field} at most 1,000 levels deep.`,
    details: { field, constraint: "max_depth", expected: "at most 1,000 levels of lists and objects" },
  },
  error: `Cannot read ${field}: it nests lists and objects deeper than 1,000 levels`,
});

describe("a body that nests 100,000 levels deep", () => {
  const { lines, logger } = keepLines();
  const app = createHttpApp(registry, { logger });

  afterEach(() => {
    expect(lines.splice(0).filter(([level]) => level === "error")).toEqual([]);
  });

  it.each(Object.entries(deep))("is refused by /api: %s", async (_, text) => {
    const answer = await post(app, "/api/tools/echo", `{"value":${text}}`);
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining(refusal("value"))]);
    const whole = await post(app, "/api/tools/echo", text);
    expect([whole.status, whole.body.success]).toEqual([400, false]);
  });

  it.each(Object.entries(deep))("is answered by a tool result of /mcp: %s", async (_, text) => {
    const session = await openSession(app);
    const call = (args: string) =>
      `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":${args}}}`;
    const answer = await post(app, "/mcp", call(`{"value":${text}}`), session);
    expect(answer.status).toBe(200);
    expect(answer.body.id).toBe(7);
    expect(answer.body.result.isError).toBe(true);
    expect(answer.body.result.structuredContent).toEqual(expect.objectContaining(refusal("value")));
    const whole = await post(app, "/mcp", call(text), session);
    expect([whole.body.id, whole.body.result.isError]).toEqual([7, true]);
    const next = await post(app, "/mcp", call('{"value":[[1]]}'), session);
    expect(next.body.result.structuredContent.data).toEqual({ value: [[1]] });
  });

  it.each(Object.entries(deep))("is refused by /mcp outside the arguments of a call: %s", async (_, text) => {
    const session = await openSession(app);
    for (const more of [{}, session]) {
      const body = `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"_meta":{"a":${text}}}}`;
      const answer = await post(app, "/mcp", body, more);
      expect([answer.status, answer.body.id, answer.body.error.code]).toEqual([400, 7, -32_600]);
      expect(answer.body.error.data).toEqual(expect.objectContaining(refusal("the message")));
      const bare = await post(app, "/mcp", text, more);
      expect([bare.status, bare.body.id, bare.body.error.code]).toEqual([400, null, -32_600]);
    }
  });

  it("is refused as JSON where its lists do not end", async () => {
    const answers = [await post(app, "/api/tools/echo", open), await post(app, "/mcp", open)];
    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
    expect(answers.map(({ body }) => body.error?.message ?? body.error)).toEqual([
      "The body is not JSON",
      "The body is not JSON",
    ]);
  });
});

describe("a body of many parts", () => {
  const app = createHttpApp(registry);

  it("lists at most 50 unknown parameters and a few names, whatever their number and length", async () => {
    const names = Array.from({ length: 100_000 }, (_, index) => [`key${index}`, 1]);
    const many = await post(app, "/api/tools/echo", JSON.stringify(Object.fromEntries(names)));
    expect([many.status, many.body.data.details.errors.length]).toEqual([400, 50]);
    expect(JSON.stringify(many.body).length).toBeLessThan(30_000);
    const long = await post(
      app,
      "/api/tools/echo",
      JSON.stringify({ ["x\n".repeat(1_000_000)]: 1, value: 1 }),
    );
    expect([long.status, long.body.data.remediation]).toEqual([
      400,
      "Leave out or rename the unknown parameter. Use one of: value.",
    ]);
    expect(JSON.stringify(long.body).length).toBeLessThan(2_000);
  });

  it("is refused where it is a batch of more than 100 messages", async () => {
    const answer = await post(app, "/mcp", `[${Array(500_000).fill("1").join(",")}]`);
    expect([answer.status, answer.body.error.code, answer.body.error.message, answer.body.id]).toEqual([
      400,
      -32_600,
      "Cannot read the batch: it has more than 100 messages",
      null,
    ]);
  });

  it("is refused where it is too large, with and without a declared length", async () => {
    const small = createHttpApp(registry, { maxBodyBytes: 1_000 });
    const text = JSON.stringify({ value: "x".repeat(2_000) });
    for (const path of ["/api/tools/echo", "/mcp"]) {
      for (const more of [{}, { "content-length": String(text.length) }]) {
        const answer = await post(small, path, text, more);
        const envelope = answer.body.error?.data ?? answer.body;
        expect([answer.status, envelope.data.error_code]).toEqual([413, "CONTENT_TOO_LARGE"]);
      }
    }
  });
});

describe("a body that is not UTF-8", () => {
  const app = createHttpApp(registry);
  const refused = {
    success: false,
    data: {
      error_code: "INVALID_FORMAT",
      error_type: "validation",
      remediation: "Encode the JSON of the body as UTF-8.",
      details: { field: "body", constraint: "format", expected: "UTF-8" },
    },
    error: "Cannot read the body: it is not UTF-8",
  };
  /** Encodes a text in which each ? is replaced with one of the given bytes. */
  const toBytes = (text: string, bytes: readonly number[]) => {
    const [before = "", after = ""] = text.split("?");
    return Uint8Array.from([...Buffer.from(before), ...bytes, ...Buffer.from(after)]);
  };

  it.each([
    ["a byte of Latin-1", [0xe9]],
    ["a sequence that is cut off", [0xe2, 0x82]],
    ["an overlong sequence", [0xc0, 0xaf]],
    ["half a surrogate pair", [0xed, 0xa0, 0x80]],
  ])("is refused, with and without a declared length: %s", async (_, bytes) => {
    const session = await openSession(app);
    const call = toBytes('{"value":"caf?"}', bytes);
    const message = toBytes(
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"value":"caf?"}}}',
      bytes,
    );
    for (const isDeclared of [true, false]) {
      const more = (body: Uint8Array): Record<string, string> =>
        isDeclared ? { "content-length": String(body.length) } : {};
      const api = await post(app, "/api/tools/echo", call, more(call));
      expect([api.status, api.body]).toEqual([400, expect.objectContaining(refused)]);
      const mcp = await post(app, "/mcp", message, { ...session, ...more(message) });
      expect([mcp.status, mcp.body.error.code, mcp.body.error.data]).toEqual([
        400,
        -32_700,
        expect.objectContaining(refused),
      ]);
    }
  });

  it("is not one that begins with a byte order mark or holds U+FFFD itself", async () => {
    const marked = Buffer.from('\ufeff{"value":"caf\ufffd"}');
    const answer = await post(app, "/api/tools/echo", Uint8Array.from(marked));
    expect([answer.status, answer.body.data]).toEqual([200, { value: "caf\ufffd" }]);
  });
});

describe("a body that does not arrive", () => {
  let server: RunningHttpServer | undefined;

  afterEach(async () => {
    vi.useRealTimers();
    await server?.close();
  });

  it.each([
    ["/api/tools/echo", "Content-Length: 1000"],
    ["/api/tools/echo", "Transfer-Encoding: chunked"],
    ["/mcp", "Content-Length: 1000"],
    ["/mcp", "Transfer-Encoding: chunked"],
  ])("is refused after a minute, and its connection ends: %s, %s", async (path, length) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { lines, logger } = keepLines();
    server = await serveHttp(registry, { port: 0, logger, handleSignals: false });
    const socket = connect(server.port, "127.0.0.1").setEncoding("utf8");
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    const ended = once(socket, "close");
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n${length}\r\n\r\n`,
    );
    // The server sends it just before it handles the request.
    await vi.waitFor(() => expect(text).toBe("HTTP/1.1 100 Continue\r\n\r\n"), 30_000);
    for (let seconds = 1; seconds < 60; seconds++) {
      socket.write(length.startsWith("C") ? " " : "1\r\n \r\n");
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(text).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    await vi.advanceTimersByTimeAsync(1_000);
    await vi.waitFor(() => expect(text).toContain("}"), 30_000);
    const [, head = "", body = ""] = text.split("\r\n\r\n");
    const answer = JSON.parse(body);
    expect([head.split("\r\n")[0], answer.error?.data ?? answer]).toEqual([
      "HTTP/1.1 504 Gateway Timeout",
      expect.objectContaining({
        success: false,
        data: {
          error_code: "TIMEOUT",
          error_type: "unavailable",
          remediation: "Send the whole body at once.",
          details: { deadline_ms: 60_000 },
        },
        error: "Cannot read the body: it did not arrive within 60 seconds",
      }),
    ]);
    await vi.advanceTimersByTimeAsync(1_000);
    await ended;
    expect(lines.filter(([, message]) => message !== "listening")).toEqual([]);
  });
});

describe("an aborted upload", () => {
  let server: RunningHttpServer | undefined;

  afterEach(async () => {
    await server?.close();
  });

  it("is one info line, with and without a declared length", async () => {
    const { lines, logger } = keepLines();
    server = await serveHttp(registry, { port: 0, logger, handleSignals: false });
    const { port } = server;
    const count = 60;
    const paths = ["/api/tools/echo", "/mcp"];
    const lengths = ["Content-Length: 1000", "Transfer-Encoding: chunked"];
    const sockets: Socket[] = [];
    for (let index = 0; index < count; index++) {
      const socket = connect(port, "127.0.0.1").on("error", () => {});
      sockets.push(socket);
      const head = `POST ${paths[index % 2]} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${lengths[index % 3 === 0 ? 1 : 0]}\r\n\r\n`;
      socket.write(`${head}${index % 3 === 0 ? '5\r\n{"val\r\n' : '{"val'}`, () => socket.destroy());
    }
    const isDone = () => lines.filter(([, message]) => message === "upload aborted").length >= count;
    for (let tries = 0; tries < 1_000 && !isDone(); tries++)
      await new Promise((resolve) => setTimeout(resolve, 10));
    const relevant = lines.filter(([, message]) => message !== "listening");
    expect(
      new Set(relevant.map(([level, message, facts]) => `${level} ${message} ${JSON.stringify(facts)}`)),
    ).toEqual(new Set(['info upload aborted {"method":"POST"}']));
    expect(relevant.length).toBe(count);
  });
});
