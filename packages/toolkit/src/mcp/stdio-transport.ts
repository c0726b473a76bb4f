import type { Readable, Writable } from "node:stream";
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from "@modelcontextprotocol/server";
import { LineReader } from "../wire/line-reader.ts";
import { loosenArguments } from "./loose-arguments.ts";

const longestLine = 10 * 1024 * 1024;

/**
 * Messages as lines over a pair of streams. In place of the SDK's own transport, which refuses calls
 * that deserve an envelope, and holds every request against its schema a second time: the protocol
 * above checks it again, and that costs a small call a tenth of its time.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lines = new LineReader(longestLine);
  #isClosed = false;
  /** Sends that wait until the reader of our output has caught up. */
  #waiting: Waiting[] = [];

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    this.#input.on("data", this.#onData).on("error", this.#onInputError);
    this.#input.on("end", this.#hangUp).on("close", this.#hangUp);
    this.#output.on("error", this.#onOutputError).on("drain", this.#onDrain);
    // A stream that has ended already will not say so again; and nobody listens before this turn is over.
    if (this.#input.readableEnded || this.#input.destroyed) setImmediate(this.#hangUp);
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
    this.#input.off("end", this.#hangUp).off("close", this.#hangUp);
    this.#output.off("drain", this.#onDrain);
    // The listener for errors of the output stays: a write on its way may still fail, and must not end the process.
    if (this.#input.listenerCount("data") === 0) this.#input.pause();
    this.#settle((send) => send.reject(new Error("The connection is closed")));
    this.onclose?.();
  }

  readonly #onData = (chunk: Buffer): void => {
    try {
      this.#lines.read(chunk, this.#take);
    } catch (error) {
      this.onerror?.(error as Error);
      this.#hangUp();
    }
  };

  readonly #take = (line: string): void => {
    // What a message sets in motion is the protocol's; what it throws is the message's fault.
    try {
      const message = readMessage(line);
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
    this.#hangUp();
  };

  readonly #onDrain = (): void => this.#settle((send) => send.resolve());

  readonly #hangUp = (): void => void this.close();

  #settle(settle: (send: Waiting) => void): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const send of waiting) settle(send);
  }
}

interface Waiting {
  resolve(): void;
  reject(reason: Error): void;
}

const sent = Promise.resolve();

/** The message of a line; undefined for lines that are no JSON, such as what a debugger prints. */
function readMessage(line: string): JSONRPCMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const message = loosenArguments(value);
  return isRequest(message) ? message : parseJSONRPCMessage(message);
}

/** True for what plainly is a request; the protocol looks at the rest of it. */
function isRequest(message: unknown): message is JSONRPCMessage {
  if (typeof message !== "object" || message === null) return false;
  const { jsonrpc, id, method, params } = message as Readonly<Record<string, unknown>>;
  const hasId = typeof id === "string" || Number.isSafeInteger(id);
  return jsonrpc === "2.0" && hasId && typeof method === "string" && typeof params === "object";
}
