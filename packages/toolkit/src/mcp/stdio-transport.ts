import type { Readable, Writable } from "node:stream";
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from "@modelcontextprotocol/server";
import { LineReader } from "../wire/line-reader.ts";
import { loosenArguments } from "./loose-arguments.ts";

const maxLineBytes = 10 * 1024 * 1024;

/**
 * A transport of messages as lines over a pair of streams. It replaces the SDK's own, which refuses calls
 * that should be answered with an envelope, and validates every request although the protocol layer does so
 * again: that costs a small call a tenth of its time.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lines = new LineReader(maxLineBytes);
  #isClosed = false;
  /** Sends that wait for the output to drain. */
  #waiting: PendingSend[] = [];

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    this.#input.on("data", this.#onData).on("error", this.#onInputError);
    this.#input.on("end", this.#disconnect).on("close", this.#disconnect);
    this.#output.on("error", this.#onOutputError).on("drain", this.#onDrain);
    // A stream that has already ended emits no event; the close handler is attached only after this turn.
    if (this.#input.readableEnded || this.#input.destroyed) setImmediate(this.#disconnect);
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error("The connection is closed"));
    if (this.#output.write(`${JSON.stringify(message)}\n`)) return sent;
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.off("data", this.#onData).off("error", this.#onInputError);
    this.#input.off("end", this.#disconnect).off("close", this.#disconnect);
    this.#output.off("drain", this.#onDrain);
    // The error listener of the output stays: a pending write may still fail, which must not end the process.
    if (this.#input.listenerCount("data") === 0) this.#input.pause();
    this.#settle((send) => send.reject(new Error("The connection is closed")));
    this.onclose?.();
  }

  readonly #onData = (chunk: Buffer): void => {
    try {
      this.#lines.read(chunk, this.#take);
    } catch (error) {
      this.onerror?.(error as Error);
      this.#disconnect();
    }
  };

  readonly #take = (line: string): void => {
    // An error thrown while a message is handled concerns that message only.
    try {
      const message = parseLine(line);
      if (message !== undefined && !this.#isClosed) this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error as Error);
    }
  };

  readonly #onInputError = (error: Error): void => this.onerror?.(error);

  readonly #onOutputError = (error: Error): void => {
    if (this.#isClosed) return;
    this.onerror?.(error);
    this.#settle((send) => send.reject(error));
    this.#disconnect();
  };

  readonly #onDrain = (): void => this.#settle((send) => send.resolve());

  readonly #disconnect = (): void => void this.close();

  #settle(settle: (send: PendingSend) => void): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const send of waiting) settle(send);
  }
}

interface PendingSend {
  resolve(): void;
  reject(reason: Error): void;
}

const sent = Promise.resolve();

/** Parses a line; returns undefined for one that is no JSON, such as the output of a debugger. */
function parseLine(line: string): JSONRPCMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const message = loosenArguments(value);
  return isRequest(message) ? message : parseJSONRPCMessage(message);
}

/** True for a well-formed request, whose parameters the protocol layer validates. */
function isRequest(message: unknown): message is JSONRPCMessage {
  if (typeof message !== "object" || message === null) return false;
  const { jsonrpc, id, method, params } = message as Readonly<Record<string, unknown>>;
  const hasId = typeof id === "string" || Number.isSafeInteger(id);
  return jsonrpc === "2.0" && hasId && typeof method === "string" && typeof params === "object";
}
