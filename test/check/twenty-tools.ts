import { notFound } from "@foundry-mcp/contract";
import { action, createRegistry, defineTool } from "@foundry-mcp/toolkit";
import { serveStdio } from "@foundry-mcp/toolkit/stdio";
import { z } from "zod";

const rows = Array.from({ length: 23 }, (_, index) => ({ id: `row-${index + 1}`, size: index }));

/** Creates a tool with three read-only actions. One of these actions is a list. */
const createTool = (index: number) =>
  defineTool({
    name: `shelf_${index}`,
    version: "1.0.0",
    description: `Shelf ${index} of the store`,
    actions: {
      list: action({
        description: "What stands on it",
        readOnly: true,
        page: { default: 5, max: 50 },
        output: z.object({ rows: z.array(z.object({ id: z.string(), size: z.int() })) }),
        run: (_input, { page }) => ({ rows: [...page.sorted(rows, { key: ({ size }) => [size] })] }),
      }),
      get: action({
        description: "One row of it",
        readOnly: true,
        input: z.object({ id: z.string() }),
        output: z.object({ row: z.object({ id: z.string(), size: z.int() }) }),
        run: ({ id }) => {
          const row = rows.find((each) => each.id === id);
          if (row === undefined) throw notFound("row", id);
          return { row };
        },
      }),
      count: action({
        description: "How many rows it has",
        readOnly: true,
        output: z.object({ count: z.int() }),
        run: () => ({ count: rows.length }),
      }),
    },
  });

serveStdio(
  createRegistry({
    name: "store",
    version: "1.0.0",
    tools: Array.from({ length: 20 }, (_, index) => createTool(index + 1)),
  }),
);
