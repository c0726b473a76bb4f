import type { Readable, Writable } from "node:stream";
import { type ContractError, isRecord, validationError } from "@foundry-mcp/contract";
import { mayBeTooDeep, tooDeep } from "@foundry-mcp/contract/input";
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from "@modelcontextprotocol/server";
import { type LineHandler, LineReader } from "../wire/line-reader.ts";
import { LineWriter } from "../wire/line-writer.ts";
import { loosenArguments } from "./loose-arguments.ts";
import { limitMessageDepth } from "./message-depth.ts";
import { type AnswerId, answerIdOf, toRpcError } from "./rpc-error.ts";
import { SkippedMessage } from "./skipped-message.ts";

const maxLineBytes = 10 * 1024 * 1024;

/**
 * A transport that sends and receives messages as lines over a pair of streams. The class replaces the SDK's
 * stdio transport for two reasons. The SDK's transport refuses calls that should be answered with an
 * envelope. The SDK's transport also validates every request, although the protocol layer validates it again.
 * For a small call, this additional validation takes a tenth of the time.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lines = new LineReader(maxLineBytes);
  readonly #writer: LineWriter;
  /** The line that is currently skipped because it is too long. */
  #skipped: SkippedMessage | undefined;
  #isClosed = false;
  /** The messages that wait until the output stream drains. */
  #waiting: PendingSend[] = [];

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
    this.#writer = new LineWriter((lines) => this.#write(lines));
  }

  async start(): Promise<void> {
    this.#input.on("data", this.#onData).on("error", this.#onInputError);
    this.#input.on("end", this.#disconnect).on("close", this.#disconnect);
    this.#output.on("error", this.#onOutputError).on("drain", this.#onDrain);
    // A stream that has already ended emits no "end" event. The close is deferred, because the SDK attaches its
    // close handler only after this turn of the event loop.
    if (this.#input.readableEnded || this.#input.destroyed) setImmediate(this.#disconnect);
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error("The connection is closed"));
    return this.#writer.send(message);
  }

  #write(lines: string): Promise<void> {
    if (this.#output.write(lines)) return sent;
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#writer.flush();
    this.#input.off("data", this.#onData).off("error", this.#onInputError);
    this.#input.off("end", this.#disconnect).off("close", this.#disconnect);
    this.#output.off("drain", this.#onDrain);
    // The error listener of the output stream stays attached, because a pending write may still fail and must
    // not end the process.
    if (this.#input.listenerCount("data") === 0) this.#input.pause();
    this.#settle((send) => send.reject(new Error("The connection is closed")));
    this.onclose?.();
  }

  readonly #onData = (chunk: Buffer): void => this.#lines.read(chunk, this.#handler);

  readonly #handler: LineHandler = {
    line: (text, isText) => {
      // An error thrown while a message is handled concerns that message only.
      try {
        this.#take(text, isText);
      } catch (error) {
        this.onerror?.(error as Error);
      }
    },
    skip: (bytes, isEnd) => {
      if (this.#skipped === undefined) {
        this.#skipped = new SkippedMessage();
        this.onerror?.(tooLong());
      }
      this.#answer(this.#skipped.read(bytes, isEnd), tooLong(), -32_600);
      if (isEnd) this.#skipped = undefined;
    },
  };

  #take(line: string, isText: boolean): void {
    if (this.#isClosed) return;
    const value = parseLine(line);
    if (value === undefined) return;
    const limited = mayBeTooDeep(line) ? limitMessageDepth(value) : value;
    if (!isText) this.#refuse(value, notUtf8(), -32_700);
    else if (limited === undefined) this.#refuse(value, tooDeep("the message"), -32_600);
    else {
      const message = loosenArguments(limited);
      this.onmessage?.(isRequest(message) ? message : parseJSONRPCMessage(message));
    }
  }

  /** Reports a message that cannot be handled; if the message expects an answer, the answer is an error. */
  #refuse(message: unknown, refusal: ContractError, rpcCode: number): void {
    this.onerror?.(refusal);
    this.#answer(isRecord(message) ? answerIdOf(message) : null, refusal, rpcCode);
  }

  #answer(id: AnswerId | undefined, refusal: ContractError, rpcCode: number): void {
    if (id === undefined || this.#isClosed) return;
    // If the send fails, the connection is already closed, so the error is ignored.
    this.send(toRpcError(refusal, { id, rpcCode }) as JSONRPCMessage).catch(() => {});
  }

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

/** Parses a line; returns undefined if the line is not JSON, such as the output of a debugger. */
function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function tooLong(): ContractError {
  const limit = `${maxLineBytes.toLocaleString("en")} bytes`;
  return validationError(
    { field: "line", constraint: "maximum", expected: `at most ${limit}` },
    {
      errorCode: "CONTENT_TOO_LARGE",
      message: `Cannot read the message: its line is longer than ${limit}`,
      remediation: `Send at most ${limit} in one message.`,
    },
  );
}

function notUtf8(): ContractError {
  return validationError(
    { field: "line", constraint: "format", expected: "UTF-8" },
    {
      message: "Cannot read the message: its line is not UTF-8",
      remediation: "Encode every message as UTF-8.",
    },
  );
}

/** True for a well-formed request, whose parameters the protocol layer validates. */
function isRequest(message: unknown): message is JSONRPCMessage {
  if (typeof message !== "object" || message === null) return false;
  const { jsonrpc, id, method, params } = message as Readonly<Record<string, unknown>>;
  const hasId = typeof id === "string" || Number.isSafeInteger(id);
  return jsonrpc === "2.0" && hasId && typeof method === "string" && typeof params === "object";
}
