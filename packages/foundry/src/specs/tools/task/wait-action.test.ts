import { createRegistry } from "@foundry-mcp/toolkit";
import { expect, test } from "vitest";
import { specOf } from "../../model/testing/arbitrary-spec.ts";
import { createMemoryStore } from "../../stores/memory-store.ts";
import { createTaskTool } from "./task-tool.ts";

const store = createMemoryStore();
const begun = specOf("phase-1", "phase-1/task-1-1 in_progress");
await store.create("done", specOf("phase-1", "phase-1/task-1-1 completed"), "active");
await store.create("begun", begun, "active");
await store.create("archived", begun, "archived");
const registry = createRegistry({
  name: "test",
  version: "1.0.0",
  tools: [createTaskTool({ store: async () => store })],
});

async function wait(spec_id: string, more: object = {}): Promise<object> {
  const { data } = await registry.call("task", { action: "wait", spec_id, ...more });
  const { revision: _, ...told } = data;
  return told;
}

test.each([
  ["done", "complete"],
  ["archived", "in_progress"],
])("nobody waits for work in a spec that is %s", async (spec_id, reason) => {
  expect(await wait(spec_id)).toEqual({ spec_id, ready: false, changed: false, reason, timed_out: false });
});

test("whoever waits for work that may come, or for a change, waits", async () => {
  const told = { ready: false, changed: false, reason: "in_progress", timed_out: true };
  expect(await wait("begun", { timeout_seconds: 0.01 })).toEqual({ spec_id: "begun", ...told });
  expect(await wait("archived", { timeout_seconds: 0.01, for: "change" })).toEqual({
    spec_id: "archived",
    ...told,
  });
});
