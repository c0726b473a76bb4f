import {
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
  type Transport,
} from "@modelcontextprotocol/client";

import { liftTask } from "./lift-task.ts";

type SendOptions = Parameters<StreamableHTTPClientTransport["send"]>[1];

/**
 * A Streamable HTTP transport that limits the size of messages and detects that an answer was lost. With the
 * SDK's own transport, a request whose stream broke off would wait until its timeout.
 */
export class HttpTransport extends StreamableHTTPClientTransport {
  readonly #pending = new Set<string | number>();

  constructor(url: URL, options: StreamableHTTPClientTransportOptions) {
    super(url, { fetch: boundedFetch, ...options });
    let receive: Transport["onmessage"];
    // The SDK assigns its message handler to this property; wrapping the property is the only way to see the
    // answers.
    Object.defineProperty(this, "onmessage", {
      get: () => receive,
      set: (given: Transport["onmessage"]) => {
        receive =
          given &&
          ((message, extra) => {
            if (!("method" in message) && message.id !== undefined) this.#pending.delete(message.id);
            given(liftTask(message), extra);
          });
      },
    });
  }

  override async send(message: JSONRPCMessage | JSONRPCMessage[], options?: SendOptions): Promise<void> {
    if (Array.isArray(message) || !("method" in message) || !("id" in message))
      return super.send(message, options);
    const { id } = message;
    this.#pending.add(id);
    options?.requestSignal?.addEventListener("abort", () => this.#pending.delete(id), { once: true });
    const onRequestStreamEnd = () => {
      options?.onRequestStreamEnd?.();
      if (this.#pending.has(id))
        this.onmessage?.({ jsonrpc: "2.0", id, error: { code: -32_000, message: "Connection closed" } });
    };
    try {
      await super.send(message, { ...options, onRequestStreamEnd });
    } catch (thrown) {
      this.#pending.delete(id);
      throw thrown;
    }
  }
}

const maxMessageBytes = 64 * 2 ** 20;
const newline = 0x0a;
const carriageReturn = 0x0d;

/**
 * Works like `fetch`, but fails if a body, or one event of a stream, is longer than 64 MiB. The total length of a
 * stream has no limit.
 */
export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  if (response.body === null) return response;
  let size = 0;
  let lastByte = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      // Each event ends with an empty line and carries one message.
      const begun = isStream ? sizeOfLastEvent(chunk, lastByte) : undefined;
      size = begun ?? size + chunk.length;
      lastByte = chunk.findLast((byte) => byte !== carriageReturn) ?? lastByte;
      if (size > maxMessageBytes) controller.error(new TooLarge());
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  const bounded = new Response(response.body.pipeThrough(counter), { status, statusText, headers });
  // A constructed response has no URL, but the SDK needs the URL to follow redirects.
  Object.defineProperty(bounded, "url", { value: response.url });
  return bounded;
}

class TooLarge extends Error {
  constructor() {
    super(`An answer is longer than ${maxMessageBytes.toLocaleString("en")} bytes`);
    this.name = "TooLarge";
  }
}

/**
 * Returns the number of bytes after the last empty line of a chunk; undefined if the chunk has no empty line.
 * `before` is the byte before the chunk.
 */
function sizeOfLastEvent(chunk: Uint8Array, before: number): number | undefined {
  for (
    let at = chunk.lastIndexOf(newline);
    at !== -1;
    at = at === 0 ? -1 : chunk.lastIndexOf(newline, at - 1)
  ) {
    const previous = chunk[at - 1] === carriageReturn ? at - 2 : at - 1;
    if ((previous < 0 ? before : chunk[previous]) === newline) return chunk.length - at - 1;
  }
  return undefined;
}
