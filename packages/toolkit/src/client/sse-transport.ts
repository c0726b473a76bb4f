import { SSEClientTransport, SseError, type Transport } from "@modelcontextprotocol/client";
import { boundedFetch } from "./http-transport.ts";

type Options = ConstructorParameters<typeof SSEClientTransport>[1];

/**
 * The transport of protocol version 2024-11-05: one stream of events from the server, and a request for each message to
 * it. The connection ends when the stream breaks off, because the stream is the session: the SDK would connect to a new
 * session that was never initialized.
 */
export class SseTransport extends SSEClientTransport {
  #isStarted = false;
  #isClosed = false;

  constructor(url: URL, options: Options) {
    super(url, { fetch: boundedFetch, ...options });
    let report: Transport["onerror"];
    Object.defineProperty(this, "onerror", {
      get: () => report,
      set: (given: Transport["onerror"]) => {
        report = (error) => {
          given?.(error);
          if (this.#isStarted && error instanceof SseError) void this.close();
        };
      },
    });
  }

  override async start(): Promise<void> {
    try {
      await super.start();
      this.#isStarted = true;
    } catch (thrown) {
      // Without this line, the client would open the stream again and again.
      await this.close();
      throw thrown;
    }
  }

  override async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await super.close();
  }
}
