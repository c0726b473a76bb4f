import { createRegistry } from "@foundry-mcp/toolkit";
import { expect, test, vi } from "vitest";
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

test("nobody waits where all work of the active specs is done, and the answer names the call that goes on", async () => {
  const done = createMemoryStore();
  await done.create("done", specOf("phase-1", "phase-1/task-1-1 completed"), "active");
  await done.create("pending", specOf("phase-1", "phase-1/task-1-1"), "pending");
  const waitForAll = async (from: ReturnType<typeof createMemoryStore>, more: object = {}) => {
    const tools = [createTaskTool({ store: async () => from })];
    const { data } = await createRegistry({ name: "test", version: "1.0.0", tools }).call("task", {
      action: "wait",
      ...more,
    });
    return data;
  };
  expect(await waitForAll(done)).toEqual({
    ready: false,
    reason: "complete",
    message: "All tasks of the active specs are completed.",
    remedy: { tool: "lifecycle", action: "complete", arguments: { spec_id: "done" } },
    other_remedies: [{ tool: "lifecycle", action: "activate", arguments: { spec_id: "pending" } }],
    remediation:
      'Complete the spec: lifecycle(action="complete", spec_id="done"). Activate a spec that has work: lifecycle(action="activate", spec_id="pending").',
    timed_out: false,
  });
  // At any time, work may be added to an empty spec, and a pending spec may be activated.
  const empty = createMemoryStore();
  const briefly = { timeout_seconds: 0.01 };
  expect(await waitForAll(empty, briefly)).toEqual({ ready: false, reason: "empty", timed_out: true });
  await empty.create("empty", specOf("phase-1"), "active");
  expect(await waitForAll(empty, briefly)).toEqual({ ready: false, reason: "empty", timed_out: true });
});

test("a task that is completed between the look at its spec and the look at its lease is not ready", async () => {
  const store = createMemoryStore();
  await store.create("one", specOf("phase-1", "phase-1/task-1-1"), "active");
  const tools = [createTaskTool({ store: async () => store })];
  const registry = createRegistry({ name: "test", version: "1.0.0", tools });
  const call = async (args: object) => (await registry.call("task", args)).data;
  const { claim_token } = await call({ action: "claim", spec_id: "one", task_id: "task-1-1" });
  const told = { ready: false, reason: "complete", timed_out: false };
  for (const args of [{ spec_id: "one" }, {}]) {
    const leases = store.leases.bind(store);
    const spy = vi.spyOn(store, "leases").mockImplementationOnce(async (id) => {
      await call({ action: "complete", spec_id: "one", task_id: "task-1-1", claim_token });
      return leases(id);
    });
    expect(await call({ action: "wait", ...args })).toMatchObject(told);
    spy.mockRestore();
    await call({ action: "update-status", spec_id: "one", task_id: "task-1-1", status: "pending" });
  }
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
    expect(error).toBe(
      "Cannot wait: 100 calls of this server are waiting already, most of them from this client",
    );
    expect(data).toEqual(busy);
  }
  const others = [waitAs("ann"), waitAs("bob")];
  const displaced = await Promise.all(greedy.slice(0, 2));
  expect(displaced.map(({ error, data }) => ({ error, data }))).toEqual(
    Array(2).fill({
      error:
        "Cannot wait any longer: the limit of waiting calls is reached, and this client has most of them",
      data: busy,
    }),
  );
  ending.abort();
  const rest = await Promise.all([...greedy.slice(2, 100), ...others]);
  expect(new Set(rest.map(({ data }) => data["error_code"]))).toEqual(new Set(["CANCELLED"]));
});
