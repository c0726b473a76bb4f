import { PassThrough, Writable } from "node:stream";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { LineTransport } from "./stdio-transport.ts";

/** A transport on streams of its own, and everything it told. */
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

  it("ends the connection on a line without end", async () => {
    const { errors, closed, input } = await open();
    const megabyte = Buffer.alloc(1024 * 1024, "x");
    for (let count = 0; count < 11; count++) input.write(megabyte);
    await closed;
    expect(errors).toEqual(["A line is longer than 10,485,760 bytes"]);
  });
});
