import { createRegistry } from "@foundry-mcp/toolkit";
import { describe, expect, test } from "vitest";
import { specOf } from "../model/testing/arbitrary-spec.ts";
import { createMemoryStore } from "../stores/memory-store.ts";
import { explainMissingIds, nearestSpecIds } from "./explain-missing-ids.ts";
import { createTaskTool } from "./task/task-tool.ts";

const store = createMemoryStore();
for (const id of ["tide-tables-2026-01-31-001", "Old_Spec"])
  await store.create(id, { ...specOf("phase-1", "phase-1/task-1-1"), spec_id: id }, "active");
const workspace = { store: async () => store };
const tools = [explainMissingIds(workspace, createTaskTool(workspace))];
const registry = createRegistry({ name: "test", version: "1.0.0", tools });
const dataOf = async (spec_id: string, task_id = "task-1-1") =>
  (await registry.call("task", { action: "start", spec_id, task_id, dry_run: true })).data;

describe("the id of a spec that does not exist", () => {
  test("is invalid where no spec can have it", async () => {
    expect(await dataOf("my spec")).toEqual({
      error_code: "VALIDATION_ERROR",
      error_type: "validation",
      remediation:
        'Give the id of a spec: lower-case letters, digits and hyphens, such as tide-tables-2026-01-31-001. spec(action="list") lists them.',
      remedy: { tool: "spec", action: "list" },
      details: { field: "spec_id", constraint: "pattern", pattern: "^[a-z0-9-]+$", received: "my spec" },
    });
  });

  test("may be the title of a spec", async () => {
    for (const title of ["Tide tables", "TIDE  Tables", "Tïde tabels"])
      expect((await dataOf(title))["remediation"]).toBe(
        'Did you mean tide-tables-2026-01-31-001? spec(action="list") lists them.',
      );
    const { error } = await registry.call("task", { action: "start", spec_id: "A b", task_id: "x" });
    expect(error).toBe(
      'Cannot find a spec with the id "A b": an id has only lower-case letters, digits and hyphens',
    );
  });

  test("is read where a spec has it all the same", async () => {
    expect(await dataOf("Old_Spec")).toMatchObject({ task_id: "task-1-1", status: "in_progress" });
  });

  test("gets the nearest id", async () => {
    expect(await dataOf("tide-table")).toEqual({
      error_code: "SPEC_NOT_FOUND",
      error_type: "not_found",
      remediation: 'Did you mean tide-tables-2026-01-31-001? spec(action="list") lists all specs.',
      remedy: { tool: "spec", action: "list" },
      details: { resource_type: "spec", resource_id: "tide-table", nearest: ["tide-tables-2026-01-31-001"] },
    });
    expect((await dataOf("nothing-like-it"))["details"]).toEqual({
      resource_type: "spec",
      resource_id: "nothing-like-it",
    });
  });
});

describe("the title of", () => {
  const titled = createMemoryStore();
  const document = (spec_id: string, title: string) => ({
    ...specOf("phase-1", "phase-1/task-1-1", "phase-1/task-1-2"),
    spec_id,
    title,
  });
  const named = { store: async () => titled };
  const tools = [explainMissingIds(named, createTaskTool(named))];
  const own = createRegistry({ name: "test", version: "1.0.0", tools });
  const start = async (spec_id: string, task_id: string) => {
    const { data } = await own.call("task", { action: "start", spec_id, task_id });
    return [data["error_code"], data["remediation"], data["remedy"]];
  };
  const call = { tool: "task", action: "start", arguments: { spec_id: "one", task_id: "task-1-1" } };

  test("a spec or a node repeats the call with the id", async () => {
    await titled.create("one", document("one", "Billing: export"), "active");
    const entitle = (id: string, value: string) =>
      ({ op: "set", path: ["hierarchy", id, "title"], value }) as const;
    const edits = [entitle("task-1-1", "Draw the café"), entitle("task-1-2", "Setup")];
    await titled.change("one", () => ({ edits, result: {} }));
    await titled.create("two", document("two", "Twins"), "active");
    await titled.create("three", document("three", "Twins"), "active");
    expect(await start("billing export", "task-1-1")).toEqual([
      "VALIDATION_ERROR",
      '"billing export" is the title of one. Use the id: task(action="start", spec_id="one", task_id="task-1-1"); or list all: spec(action="list").',
      call,
    ]);
    expect(await start("one", "draw the CAFE")).toEqual([
      "VALIDATION_ERROR",
      '"draw the CAFE" is the title of task-1-1. Use the id: task(action="start", spec_id="one", task_id="task-1-1"); or list all: task(action="hierarchy", spec_id="one").',
      call,
    ]);
    // A title may have the form of an id.
    expect(await start("one", "setup")).toMatchObject([
      "TASK_NOT_FOUND",
      expect.stringContaining('"setup" is the title of task-1-2'),
      { arguments: { spec_id: "one", task_id: "task-1-2" } },
    ]);
    // An error does not quote every text, but such a title is found too, and free texts are not repeated.
    await titled.change("one", () => ({
      edits: [entitle("task-1-2", "Parse files, then (store)")],
      result: {},
    }));
    const { data } = await own.call("task", {
      action: "complete",
      spec_id: "one",
      task_id: "Parse files, then (store)",
      note: "It's done: see <a>",
    });
    expect(data["remedy"]).toEqual({
      tool: "task",
      action: "complete",
      arguments: { spec_id: "one", task_id: "task-1-2" },
      needs: ["note"],
    });
    // One error is enough for two titles.
    expect((await start("Billing export", "Draw the café"))[2]).toEqual(call);
  });

  test("a node may be meant by its numbers", async () => {
    for (const written of ["1-2", "1.2"])
      expect((await start("one", written)).slice(1)).toEqual([
        'Did you mean task-1-2? task(action="hierarchy", spec_id="one") lists all.',
        { tool: "task", action: "hierarchy", arguments: { spec_id: "one" } },
      ]);
  });

  test("several specs, or a part of a title, names what may be meant", async () => {
    expect((await start("TWINS!", "task-1-1")).slice(1)).toEqual([
      'Did you mean two, three? spec(action="list") lists them.',
      { tool: "spec", action: "list" },
    ]);
    expect((await start("one", "the café")).slice(1)).toEqual([
      'Did you mean task-1-1 "Draw the café"? task(action="hierarchy", spec_id="one") lists all.',
      { tool: "task", action: "hierarchy", arguments: { spec_id: "one" } },
    ]);
  });
});

test("the id of a task that no task can have is invalid", async () => {
  expect(await dataOf("Old_Spec", "task 1")).toMatchObject({
    error_code: "VALIDATION_ERROR",
    details: {
      field: "task_id",
      constraint: "pattern",
      pattern: "^[A-Za-z][A-Za-z0-9_.-]{0,99}$",
      received: "task 1",
    },
  });
});

test.each([
  ["tide", ["tide-tables-2026-01-31-001"]],
  ["tide-tabels", ["tide-tables-2026-01-31-001"]],
  ["tide-tables-2026-01-30-001", ["tide-tables-2026-01-31-001"]],
  ["tables", ["tide-tables-2026-01-31-001"]],
  ["x", []],
])("%s is near %j", (written, near) => {
  expect(nearestSpecIds(written, ["a", "search-2026-01-31-001", "tide-tables-2026-01-31-001"])).toEqual(near);
});
