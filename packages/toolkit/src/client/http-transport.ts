import {
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
  type Transport,
} from "@modelcontextprotocol/client";

type SendOptions = Parameters<StreamableHTTPClientTransport["send"]>[1];

/**
 * Streamable HTTP that notices a lost answer: the SDK leaves a request whose stream broke off waiting
 * until it times out.
 */
export class HttpTransport extends StreamableHTTPClientTransport {
  readonly #waiting = new Set<string | number>();

  constructor(url: URL, options: StreamableHTTPClientTransportOptions) {
    super(url, options);
    let receive: Transport["onmessage"];
    // The SDK assigns its receiver to a field; standing in between is the only way to see the answers.
    Object.defineProperty(this, "onmessage", {
      get: () => receive,
      set: (given: Transport["onmessage"]) => {
        receive =
          given &&
          ((message, extra) => {
            if (!("method" in message) && message.id !== undefined) this.#waiting.delete(message.id);
            given(message, extra);
          });
      },
    });
  }

  override async send(message: JSONRPCMessage | JSONRPCMessage[], options?: SendOptions): Promise<void> {
    if (Array.isArray(message) || !("method" in message) || !("id" in message))
      return super.send(message, options);
    const { id } = message;
    this.#waiting.add(id);
    options?.requestSignal?.addEventListener("abort", () => this.#waiting.delete(id), { once: true });
    const onRequestStreamEnd = () => {
      options?.onRequestStreamEnd?.();
      if (this.#waiting.has(id))
        this.onmessage?.({ jsonrpc: "2.0", id, error: { code: -32_000, message: "Connection closed" } });
    };
    try {
      await super.send(message, { ...options, onRequestStreamEnd });
    } catch (thrown) {
      this.#waiting.delete(id);
      throw thrown;
    }
  }
}
