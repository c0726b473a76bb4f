import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { localPrincipal } from "../context/principal.ts";
import type { JobStore } from "../jobs/job-store.ts";
import type { Registry } from "../registry/registry.ts";
import { TaskSubscriptions } from "./task-subscriptions.ts";

/** Adds subscriptions to tasks to the transport of a connection over stdio. */
export class TaskTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #inner: Transport;
  readonly #subscriptions: TaskSubscriptions;

  constructor(inner: Transport, registry: Registry, store: JobStore) {
    this.#inner = inner;
    this.#subscriptions = new TaskSubscriptions({
      registry,
      store,
      principal: localPrincipal,
      // If the send fails, the connection is already closed, so the error is ignored.
      send: (message) => void inner.send(message as never).catch(() => {}),
    });
    inner.onmessage = (message) => this.onmessage?.(this.#subscriptions.receive(message) as JSONRPCMessage);
    inner.onerror = (error) => this.onerror?.(error);
    inner.onclose = () => {
      this.#subscriptions.close();
      this.onclose?.();
    };
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    // Answers need no wait: they only end subscriptions.
    if (!("method" in message)) this.#subscriptions.end(message.id);
    const passed = "method" in message ? await this.#subscriptions.pass(message) : message;
    if (passed !== undefined) await this.#inner.send(passed);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
