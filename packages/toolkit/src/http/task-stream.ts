import type { UnknownRecord } from "@foundry-mcp/contract";
import { parseJsonText } from "@foundry-mcp/contract/input";
import type { JobStore } from "../jobs/job-store.ts";
import { TaskSubscriptions } from "../mcp/task-subscriptions.ts";
import type { Registry } from "../registry/registry.ts";

/** The notifications of tasks on one stream of `subscriptions/listen`. */
export interface TaskStream {
  /** The request without the ids of tasks. */
  readonly message: unknown;
  /** Adds the notifications of the tasks to the answer. */
  add(response: Response): Response;
  close(): void;
}

/** Opens the notifications of the tasks that a request to listen names. */
export function openTaskStream(
  registry: Registry,
  store: JobStore,
  principal: string,
  request: unknown,
): TaskStream {
  let write: (message: object) => void = () => {};
  const send = (message: UnknownRecord) => write(message);
  const subscriptions = new TaskSubscriptions({ registry, store, principal, send });
  const message = subscriptions.receive(request);
  return {
    message,
    add(response) {
      const events = new TransformStream<Uint8Array, Uint8Array>({
        start(controller) {
          write = (sent) => controller.enqueue(toEvent(sent));
        },
        // The SDK writes each event as one chunk.
        async transform(chunk, controller) {
          const text = /^data: (.*)$/m.exec(decoder.decode(chunk))?.[1];
          if (text === undefined) return controller.enqueue(chunk);
          const passed = await subscriptions.pass(parseJsonText(text) as UnknownRecord);
          if (passed !== undefined) controller.enqueue(toEvent(passed));
        },
      });
      const { body, status, headers } = response;
      return new Response(body?.pipeThrough(events) ?? null, { status, headers });
    },
    close: () => subscriptions.close(),
  };
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

function toEvent(message: object): Uint8Array {
  return encoder.encode(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}
