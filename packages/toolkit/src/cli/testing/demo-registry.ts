import { notFound } from "@foundry-mcp/contract";
import { z } from "zod";
import { action } from "../../define/action.ts";
import { defineTool } from "../../define/tool.ts";
import { createRegistry, type Registry } from "../../registry/registry.ts";
import type { RegistryOptions } from "../../registry/registry-options.ts";

/** A schema with one parameter of every kind. */
const kinds = z.object({
  text: z.string().optional().describe("Any text"),
  count: z.int().optional(),
  share: z.number().optional(),
  is_open: z.boolean().optional().describe("Whether it is open"),
  size: z.enum(["small", "large"]).default("small"),
  level: z.union([z.literal(1), z.literal(2)]).optional(),
  tags: z.array(z.string()).optional(),
  ranks: z.array(z.int()).optional(),
  shape: z.object({ width: z.number() }).optional(),
  either: z.union([z.string(), z.number()]).optional(),
  anything: z.unknown().optional(),
  parent: z.string().nullable().optional(),
});

const rows = Array.from({ length: 5 }, (_, index) => ({ id: `task-${index}`, rank: index }));

/** A test tool whose actions have every kind of placement on the command line. */
const taskTool = defineTool({
  name: "task_list",
  version: "1.0.0",
  description: "Works on tasks\nand says so in two lines",
  aliases: ["todo"],
  actions: {
    find: action({
      description: "Tasks in the order of their ids",
      aliases: ["search_all"],
      cli: { command: "tasks find", aliases: ["tasks list", "tasks-of"] },
      input: z.object({ status: z.enum(["active", "done"]).optional() }),
      page: { default: 2, max: 10, rows: "tasks" },
      readOnly: true,
      examples: [{ title: "what is to do", args: { status: "active", limit: 5 } }],
      run: (_input, { page }) => ({ tasks: page.sorted(rows, { key: ({ id }) => [id] }) }),
    }),
    complete: action({
      description: "Marks a task as done",
      parameterAliases: { taskId: "task_id", id: "task_id" },
      cli: { command: "tasks complete", arguments: ["spec_id", "task_id"] },
      input: z.object({ spec_id: z.string(), task_id: z.string(), note: z.string().optional() }),
      examples: [{ title: "with a note", args: { spec_id: "s 1", task_id: "-t", note: "it's done" } }],
      run: (input) => {
        if (input.task_id === "missing") throw notFound("task", "missing");
        return input;
      },
    }),
    tag_all: action({
      cli: { arguments: ["word", "tags"] },
      input: z.object({ word: z.string(), tags: z.array(z.string()).optional() }),
      run: (input) => input,
    }),
    secret: action({ cli: false, run: () => ({}) }),
  },
});

/** A test tool with parameters whose names clash with options or cannot be written as options. */
const oddTool = defineTool({
  name: "odd",
  version: "1.0.0",
  description: "Takes odd names",
  input: z.looseObject({
    timeout: z.int().optional(),
    json: z.string().optional(),
    help: z.boolean().optional(),
    no_cache: z.boolean().optional(),
    cache: z.boolean().optional(),
    noteId: z.string().optional(),
    note_id: z.string().optional(),
    "with space": z.string().optional(),
    テキスト: z.string().optional(),
  }),
  run: (input) => input,
});

/** Creates the registry of the command line tests. */
export function createDemoRegistry(options: Partial<RegistryOptions> = {}): Registry {
  return createRegistry({
    name: "demo-server",
    version: "4.5.6",
    title: "Demo of everything",
    serverTool: false,
    validateOutput: true,
    tools: [
      defineTool({
        name: "echo_all",
        version: "1.0.0",
        description: "Gives back what it was given",
        aliases: ["repeat"],
        input: kinds,
        run: (input) => input,
      }),
      taskTool,
      oddTool,
      ...(options.tools ?? []),
    ],
    ...(({ tools: _, ...rest }) => rest)(options),
  });
}
