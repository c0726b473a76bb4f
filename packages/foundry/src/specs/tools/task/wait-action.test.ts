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

test("a client with the most waits is refused another, and gives way to other clients", async () => {
  const registry = createRegistry({
    name: "test",
    version: "1.0.0",
    tools: [createTaskTool({ store: async () => store })],
  });
  const ending = new AbortController();
  const waitAs = (id: string) =>
    registry.call(
      "task",
      { action: "wait", spec_id: "begun", timeout_seconds: 60 },
      { principal: { id }, signal: ending.signal },
    );
  const greedy = Array.from({ length: 150 }, () => waitAs("greedy"));
  const refused = await Promise.all(greedy.slice(100));
  const busy = {
    error_code: "RESOURCE_BUSY",
    error_type: "unavailable",
    details: { limit: 100 },
    remediation: "Subscribe to the resource of the spec, or ask again in a few seconds.",
    retry_after_seconds: 5,
  };
  for (const { error, data } of refused) {
    expect(error).toBe("Cannot wait: 100 calls of this server wait already, most of them of this client");
    expect(data).toEqual(busy);
  }
  const others = [waitAs("ann"), waitAs("bob")];
  const displaced = await Promise.all(greedy.slice(0, 2));
  expect(displaced.map(({ error, data }) => ({ error, data }))).toEqual(
    Array(2).fill({
      error: "Cannot wait any longer: another client waits too, and this client has the most waiting calls",
      data: busy,
    }),
  );
  ending.abort();
  const rest = await Promise.all([...greedy.slice(2, 100), ...others]);
  expect(new Set(rest.map(({ data }) => data["error_code"]))).toEqual(new Set(["CANCELLED"]));
});
