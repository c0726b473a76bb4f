import type { Transport } from "@modelcontextprotocol/client";
import type { ZooEntry } from "./zoo-entry.ts";

/** Returns the client end of a connection to a new server of the zoo. No process is started. */
export function openMemoryTransport({ serve }: Pick<ZooEntry, "serve">): Transport {
  const client = new WireEnd();
  const server = new WireEnd();
  client.other = server;
  server.other = client;
  client.whenStarted = () => serve(server);
  return client;
}

type Message = Parameters<Transport["send"]>[0];

class WireEnd implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  other: WireEnd | undefined;
  whenStarted: (() => Promise<void>) | undefined;
  #isClosed = false;

  async start(): Promise<void> {
    await this.whenStarted?.();
  }

  async send(message: Message): Promise<void> {
    if (this.#isClosed) throw new Error("Cannot send: the wire is closed");
    // As with a real connection, the other side receives a copy at a later time, and only values that JSON can
    // represent.
    const text = JSON.stringify(message);
    queueMicrotask(() => this.other?.onmessage?.(JSON.parse(text) as Message));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
    await this.other?.close();
  }
}
