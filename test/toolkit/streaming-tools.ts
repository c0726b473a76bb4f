import { EventEmitter, once } from "node:events";
import {
  action,
  createRegistry,
  defineTool,
  type Registry,
  type RegistryOptions,
} from "@foundry-mcp/toolkit";
import { z } from "zod";

/** The tools that exist from the start, in the order of their declaration. */
export const streamingToolNames = ["zeta", "hold", "witness", "steps", "noisy", "deadline", "grow", "server"];

/**
 * Creates a registry that can be observed over the connection. Each step inside a handler is an event for which
 * another call waits, so that no test has to sleep.
 */
export function createStreamingRegistry(options: Partial<RegistryOptions> = {}): Registry {
  const seen = new Set<string>();
  const events = new EventEmitter();
  const tell = (event: string) => {
    seen.add(event);
    events.emit(event);
  };
  const heard = async (event: string, signal: AbortSignal) => {
    if (!seen.has(event)) await once(events, event, { signal });
  };
  const key = z.object({ key: z.string() });
  const registry: Registry = createRegistry({
    name: "streaming",
    version: "1.0.0",
    ...options,
    tools: [
      defineTool({
        name: "zeta",
        version: "1.0.0",
        description: "Declared first, sorted last",
        run: () => ({}),
      }),
      defineTool({
        name: "hold",
        version: "1.0.0",
        description: "Works until it is released, and tells when it starts and when it is given up",
        input: key,
        run: async ({ key: name }, { signal }) => {
          signal.addEventListener("abort", () => tell(`aborted ${name}`));
          tell(`started ${name}`);
          await heard(`released ${name}`, signal);
          return { released: name };
        },
      }),
      defineTool({
        name: "witness",
        version: "1.0.0",
        description: "Waits for what happens to a held call, or lets it go",
        actions: {
          started: action({
            input: key,
            run: async ({ key: name }, { signal }) => {
              await heard(`started ${name}`, signal);
              return { load: registry.load };
            },
          }),
          aborted: action({
            input: key,
            run: async ({ key: name }, { signal }) => {
              await heard(`aborted ${name}`, signal);
              return { load: registry.load };
            },
          }),
          release: action({ input: key, run: ({ key: name }) => tell(`released ${name}`) }),
        },
      }),
      defineTool({
        name: "steps",
        version: "1.0.0",
        description: "Tells how far it has come, and waits to hear that it was heard",
        run: async (_input, context) => {
          context.progress(1, 3, "one");
          context.progress(2, 3);
          context.progress(3);
          await heard("released steps", context.signal);
          return { done: true };
        },
      }),
      defineTool({
        name: "noisy",
        version: "1.0.0",
        description: "Prints to stdout while it works",
        run: () => {
          // biome-ignore lint/suspicious/noConsole: what a careless handler does
          console.log("a stray line");
          process.stdout.write('{"jsonrpc":"2.0","id":1,"result":{"forged":true}}\n');
          return { ok: true };
        },
      }),
      defineTool({
        name: "deadline",
        version: "1.0.0",
        description: "Is given up after 20 milliseconds",
        input: key,
        timeoutMs: 20,
        run: async ({ key: name }, { signal }) => {
          signal.addEventListener("abort", () => tell(`aborted ${name}`));
          await heard("never", signal);
          return {};
        },
      }),
      defineTool({
        name: "grow",
        version: "1.0.0",
        description: "Adds a tool to the server, and takes one away",
        actions: {
          add: action({
            input: z.object({ name: z.string() }),
            run: ({ name }) =>
              registry.addTool(
                defineTool({
                  name,
                  version: "1.0.0",
                  description: "Added later",
                  run: () => ({ added: name }),
                }),
              ),
          }),
          remove: action({
            input: z.object({ name: z.string() }),
            run: ({ name }) => ({ removed: registry.removeTool(name) }),
          }),
        },
      }),
    ],
  });
  return registry;
}
