import { PassThrough, Writable } from "node:stream";
import { isTooDeep, maxDepth } from "@foundry-mcp/contract/input";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { LineTransport } from "./stdio-transport.ts";

/** Opens a transport on separate streams, and records everything that the transport reports. */
async function open(output: Writable = new PassThrough()) {
  const input = new PassThrough();
  const transport = new LineTransport(input, output);
  const messages: JSONRPCMessage[] = [];
  const errors: string[] = [];
  const closed = new Promise<void>((resolve) => {
    transport.onclose = resolve;
  });
  transport.onmessage = (message) => messages.push(message);
  transport.onerror = (error) => errors.push(error.message);
  await transport.start();
  const write = (text: string) =>
    new Promise<void>((resolve) => input.write(text, () => setImmediate(resolve)));
  return { input, output, transport, messages, errors, closed, write };
}

const ping = { jsonrpc: "2.0", id: 1, method: "ping", params: {} } as const;

describe("LineTransport", () => {
  it("reads a message from a line and writes one as a line", async () => {
    const { output, transport, messages, errors, write } = await open();
    await write(`${JSON.stringify(ping)}\n`);
    await transport.send({ jsonrpc: "2.0", id: 1, result: {} });
    expect(messages).toEqual([ping]);
    expect(errors).toEqual([]);
    expect(String((output as PassThrough).read())).toBe('{"jsonrpc":"2.0","id":1,"result":{}}\n');
  });

  it("skips lines that are no JSON, and reports those that are no message", async () => {
    const { messages, errors, write } = await open();
    await write('Debugger attached.\n{"jsonrpc":"2.0"}\n[1]\nnull\n');
    await write(`${JSON.stringify(ping)}\n`);
    expect(messages).toEqual([ping]);
    expect(errors).toHaveLength(3);
  });

  it("closes when the client disconnects, and sends nothing more", async () => {
    const { input, transport, closed } = await open();
    input.end();
    await closed;
    await expect(transport.send(ping)).rejects.toThrow("The connection is closed");
  });

  it("closes when the client had disconnected before it started", async () => {
    const input = new PassThrough();
    input.destroy();
    const transport = new LineTransport(input, new PassThrough());
    const closed = new Promise<void>((resolve) => {
      transport.onclose = resolve;
    });
    await transport.start();
    await closed;
  });

  it("waits for a slow reader, and stops waiting when it disconnects", async () => {
    let takeOne: (() => void) | undefined;
    const slow = new Writable({
      highWaterMark: 1,
      write: (_chunk, _encoding, done) => {
        takeOne = done;
      },
    });
    const { transport, closed, errors } = await open(slow);
    let isSent = false;
    const first = transport.send(ping).then(() => {
      isSent = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isSent).toBe(false);
    takeOne?.();
    await first;
    const second = transport.send(ping);
    slow.destroy(new Error("EPIPE"));
    await expect(second).rejects.toThrow("EPIPE");
    await closed;
    expect(errors).toEqual(["EPIPE"]);
  });

  const tooLong = "Cannot read the message: its line is longer than 10,485,760 bytes";
  const megabyte = Buffer.alloc(1024 * 1024, "x");
  const readAnswers = (output: Writable) =>
    String((output as PassThrough).read() ?? "")
      .split("\n")
      .filter((line) => line !== "")
      .map(
        (line) =>
          JSON.parse(line) as { id: unknown; error: { code: number; message: string; data: unknown } },
      );

  it.each([
    ["before its parameters", '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"a":"', '"}}\n', 7],
    [
      "after its parameters",
      '{"method":"tools/call","params":{"id":1,"a":"',
      '"},"jsonrpc":"2.0","id":"x"}\n',
      "x",
    ],
    ["nowhere", '["', '"]\n', null],
  ])(
    "answers a line that is too long by its id, which stands %s, and lives on",
    async (_, head, tail, id) => {
      const { output, messages, errors, write } = await open();
      await write(head);
      for (let count = 0; count < 11; count++) await write(megabyte as never);
      await write(tail);
      await write(`${JSON.stringify(ping)}\n`);
      const [answer, ...more] = readAnswers(output);
      expect(more).toEqual([]);
      expect(answer).toEqual({
        jsonrpc: "2.0",
        id,
        error: {
          code: -32_600,
          message: tooLong,
          data: {
            success: false,
            data: {
              error_code: "CONTENT_TOO_LARGE",
              error_type: "validation",
              remediation: "Send at most 10,485,760 bytes in one message.",
              details: { field: "line", constraint: "maximum", expected: "at most 10,485,760 bytes" },
            },
            error: tooLong,
            meta: {
              version: "response-v2",
              request_id: expect.stringMatching(/^req_/),
              telemetry: { duration_ms: 0 },
            },
          },
        },
      });
      expect(errors).toEqual([tooLong]);
      expect(messages).toEqual([ping]);
    },
  );

  it("answers before the end of the line where it can, once", async () => {
    const { output, write } = await open();
    await write('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"a":"');
    for (let count = 0; count < 11; count++) await write(megabyte as never);
    expect(readAnswers(output).map(({ id }) => id)).toEqual([7]);
    for (let count = 0; count < 11; count++) await write(megabyte as never);
    await write('"}}\n');
    expect(readAnswers(output)).toEqual([]);
  });

  it.each([
    ["a notification", '{"jsonrpc":"2.0","method":"notifications/progress","params":"', '"}\n'],
    ["a response", '{"jsonrpc":"2.0","id":1,"result":"', '"}\n'],
  ])("reports %s that is too long, and does not answer it", async (_, head, tail) => {
    const { output, errors, write } = await open();
    await write(head);
    for (let count = 0; count < 11; count++) await write(megabyte as never);
    await write(tail);
    expect([readAnswers(output), errors]).toEqual([[], [tooLong]]);
  });

  const deep = "[".repeat(100_000) + "]".repeat(100_000);

  it("answers a message that nests too deeply outside the arguments of a call", async () => {
    const { output, messages, errors, write } = await open();
    const message = "Cannot read the message: it nests lists and objects deeper than 1,000 levels";
    await write(`{"jsonrpc":"2.0","id":3,"method":"ping","params":{"_meta":{"a":${deep}}}}\n`);
    await write(`${deep}\n`);
    await write(`{"jsonrpc":"2.0","method":"notifications/progress","params":${deep}}\n`);
    await write(`{"jsonrpc":"2.0","id":3,"result":${deep}}\n`);
    expect(readAnswers(output).map(({ id, error }) => [id, error.code, error.message])).toEqual([
      [3, -32_600, message],
      [null, -32_600, message],
    ]);
    expect([messages, errors]).toEqual([[], [message, message, message, message]]);
  });

  it("passes on deep arguments of a call, cut to a depth that the dispatch still refuses", async () => {
    const { messages, errors, write } = await open();
    await write(
      `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"t","arguments":{"a":${deep}}}}\n`,
    );
    expect(errors).toEqual([]);
    const [message] = messages as unknown as { params: { arguments: unknown } }[];
    expect(isTooDeep(message?.params.arguments)).toBe(true);
    expect(isTooDeep(message?.params.arguments, maxDepth + 1)).toBe(false);
  });

  it("answers bytes that are no UTF-8, and reads lines with a byte order mark and with CRLF", async () => {
    const { output, messages, input } = await open();
    input.write(Buffer.from('{"jsonrpc":"2.0","id":4,"method":"ping","params":{"a":"\xff"}}\n', "latin1"));
    input.write(`\uFEFF${JSON.stringify(ping)}\r\n`);
    input.write("\0\0\n\n");
    await new Promise((resolve) => setImmediate(resolve));
    expect(readAnswers(output).map(({ id, error }) => [id, error.code, error.message])).toEqual([
      [4, -32_700, "Cannot read the message: its line is not UTF-8"],
    ]);
    expect(messages).toEqual([ping]);
  });
});
