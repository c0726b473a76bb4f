import { expect, it } from "vitest";
import { z } from "zod";
import { action } from "../define/action.ts";
import { defineTool } from "../define/tool.ts";
import { createRegistry } from "./registry.ts";

const list = action({
  output: () =>
    z.strictObject({
      rows: z.array(z.strictObject({ id: z.string() })),
      total: z.int(),
      first: z.strictObject({ id: z.string() }),
    }),
  run: () => ({ rows: [{ id: "a" }], total: 1, first: { id: "a" } }),
});
const notes = defineTool({ name: "notes", version: "1.0.0", description: "Notes", actions: { list } });
const create = (listed: boolean, maxTokens = 0) =>
  createRegistry({
    name: "n",
    version: "1.0.0",
    tools: [notes],
    serverTool: false,
    validateOutput: true,
    budget: { maxTokens },
    compatibility: {
      calls: [],
      listed,
      answers: [
        {
          tool: "notes",
          action: "list",
          keys: {
            "rows[].note_id": ({ id }) => id,
            "none[].id": () => 1,
            count: ({ total }) => total,
            "first.total": ({ total }) => total,
            "none.total": () => 1,
            total: () => 99,
            unknown: () => undefined,
          },
        },
      ],
    },
  });

it("adds keys that follow from the answer, and replaces none", async () => {
  const { success, data } = await create(true).call("notes", { action: "list" });
  expect({ success, data }).toEqual({
    success: true,
    data: { rows: [{ id: "a", note_id: "a" }], total: 1, first: { id: "a", total: 1 }, count: 1 },
  });
});

it("adds them where the user asks for them, decided at each answer", async () => {
  let isAnswered = false;
  const registry = createRegistry({
    name: "n",
    version: "1.0.0",
    tools: [notes],
    serverTool: false,
    compatibility: {
      calls: [],
      isAnswered: () => isAnswered,
      answers: [{ tool: "notes", action: "list", keys: { count: ({ total }) => total } }],
    },
  });
  const ours = { rows: [{ id: "a" }], total: 1, first: { id: "a" } };
  expect((await registry.call("notes", { action: "list" })).data).toEqual(ours);
  isAnswered = true;
  expect((await registry.call("notes", { action: "list" })).data).toEqual({ ...ours, count: 1 });
});

it("adds none where the names are not listed", async () => {
  expect((await create(false).call("notes", { action: "list" })).data).toEqual({
    rows: [{ id: "a" }],
    total: 1,
    first: { id: "a" },
  });
});
