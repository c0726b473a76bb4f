import { setTimeout as sleep } from "node:timers/promises";
import { ContractError, notFound } from "@foundry-mcp/contract";
import { createRegistry, defineTool, type Registry, type RegistryOptions } from "@foundry-mcp/toolkit";
import { z } from "zod";

const version = "1.0.0";
const named = z.object({ name: z.string() });

/** Tools that run as jobs, and a tool that never runs as a job. */
export const taskTools = [
  defineTool({
    name: "count",
    version,
    description: "Counts in steps",
    input: z.object({ steps: z.int().min(0).max(100).default(3), stepMs: z.int().min(0).default(5) }),
    output: z.object({ counted: z.int() }),
    idempotent: true,
    task: "optional",
    run: async ({ steps, stepMs }, { progress, signal, warn }) => {
      for (let step = 1; step <= steps; step += 1) {
        await sleep(stepMs, undefined, { signal });
        progress(step, steps, `step ${step}`);
      }
      warn("counted slowly");
      return { counted: steps };
    },
  }),
  defineTool({
    name: "greet",
    version,
    description: "Asks for a name, and greets",
    output: z.object({ greeting: z.string() }),
    task: "optional",
    run: async (_input, { elicit }) => {
      const answer = await elicit({ message: "What is your name?", schema: named });
      return { greeting: answer.action === "accept" ? `Hello, ${answer.content.name}!` : "Hello!" };
    },
  }),
  defineTool({
    name: "lose",
    version,
    description: "Finds nothing",
    task: "optional",
    run: () => {
      throw notFound("needle", "n-1");
    },
  }),
  defineTool({
    name: "only",
    version,
    description: "Runs only as a task",
    output: z.object({ done: z.boolean() }),
    task: "required",
    run: () => ({ done: true }),
  }),
  defineTool({
    name: "mixed",
    version,
    description: "Has an action that never runs as a task",
    actions: {
      quick: { description: "Answer at once", readOnly: true, run: () => ({ quick: true }) },
      slow: { description: "Answer later", readOnly: true, task: "optional", run: () => ({ slow: true }) },
    },
  }),
  defineTool({
    name: "plain",
    version,
    description: "Never runs as a task",
    readOnly: true,
    run: () => ({ plain: true }),
  }),
  defineTool({
    name: "hang",
    version,
    description: "Waits until it is cancelled",
    task: "optional",
    run: async (_input, { signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      throw new ContractError("The work was stopped", { errorCode: "CANCELLED" });
    },
  }),
];

/** Creates a registry with these tools. */
export function createTaskRegistry(options: Partial<RegistryOptions> = {}): Registry {
  return createRegistry({ name: "tasks", version, tools: taskTools, ...options });
}
