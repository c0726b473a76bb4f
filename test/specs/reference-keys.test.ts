import type { Connection } from "@foundry-mcp/toolkit/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callCli, openStdioServer } from "./programs.ts";
import { createWorkspace, specOf, type TestWorkspace } from "./workspace.ts";

/** The metadata of the next task, as its file contains them. */
const stored = {
  file_path: "src/row.ts",
  description: "Parse a row",
  details: "By hand",
  acceptance_criteria: ["It is done"],
  complexity: "low",
  task_category: "investigation",
};

let workspace: TestWorkspace;
let listed: Connection;
let plain: Connection;
beforeAll(async () => {
  workspace = await createWorkspace("empty");
  const spec = specOf("s", { tasks: 3, completed: ["task-1-1"] });
  const { metadata } = (spec["hierarchy"] as Record<string, { metadata: object }>)["task-1-2"]!;
  Object.assign(metadata, stored);
  await workspace.write("active/s.json", spec);
  listed = await openStdioServer(workspace.folder, ["--tools", "reference"]);
  plain = await openStdioServer(workspace.folder, ["--tools", "all"]);
});
afterAll(async () => {
  await listed?.close();
  await plain?.close();
  await workspace?.remove();
});

/**
 * Calls, each with the keys that its answer has only with `--tools reference`. For a list, these are the keys
 * of its rows.
 */
const calls: readonly (readonly [string, Record<string, unknown>, Record<string, unknown>])[] = [
  [
    "spec",
    { action: "list" },
    {
      specs: [{ spec_id: "s", total_tasks: 3, completed_tasks: 1, progress_percentage: 33 }],
      count: 1,
      total_specs: 1,
      has_specs: true,
    },
  ],
  ["spec", { action: "find", spec_id: "s" }, { status_folder: "active" }],
  ["spec", { action: "find", spec_id: "none" }, {}],
  [
    "spec",
    { action: "fix", spec_id: "s", dry_run: true },
    { fixes_applied: 0, post_fix_is_valid: true, post_fix_error_count: 0 },
  ],
  ["spec", { action: "stats", spec_id: "s" }, { file_size_kb: expect.any(Number) }],
  [
    "task",
    { action: "prepare", spec_id: "s" },
    {
      task_data: expect.objectContaining({
        title: "Do task-1-2",
        metadata: stored,
      }),
    },
  ],
  ["task", { action: "list", spec_id: "s", limit: 1 }, { tasks: [{ id: "task-1-1" }], count: 3 }],
  [
    "task",
    { action: "query", spec_id: "s", status: "pending" },
    { tasks: [{ id: "task-1-2" }, { id: "task-1-3" }], count: 2 },
  ],
  ["task", { action: "list-blocked", spec_id: "s" }, { tasks: [], count: 0 }],
  ["task", { action: "hierarchy", spec_id: "s" }, { total_nodes: 5 }],
  ["journal", { action: "list", spec_id: "s" }, { count: 0 }],
  ["journal", { action: "list-unjournaled", spec_id: "s" }, { count: 1 }],
  ["authoring", { action: "risk-list", spec_id: "s" }, { count: 0 }],
  ["lifecycle", { action: "state", spec_id: "s" }, { total_tasks: 3, completed_tasks: 1 }],
];

const commands: readonly (readonly [readonly string[], Record<string, unknown>])[] = [
  [
    ["specs", "find"],
    {
      specs: [{ spec_id: "s", total_tasks: 3, completed_tasks: 1, progress_percentage: 33 }],
      count: 1,
      total_specs: 1,
      has_specs: true,
    },
  ],
  [["tasks", "query", "s"], { tasks: ["task-1-1", "task-1-2", "task-1-3"].map((id) => ({ id })), count: 3 }],
  [["tasks", "next", "s"], { metadata: stored }],
];

type Data = Readonly<Record<string, unknown>>;

/** Returns the answer of this server with the keys of the Python server. */
function merge(ours: Data, keys: Data): Data {
  const lists = Object.entries(keys).map(([key, value]) => {
    const rows = ours[key];
    if (!Array.isArray(rows) || !Array.isArray(value)) return [key, value];
    return [key, rows.map((row: object, index) => ({ ...row, ...(value[index] as object) }))];
  });
  return { ...ours, ...Object.fromEntries(lists) };
}

describe("keys that users of the Python foundry-mcp read", () => {
  it.each(calls)("%s %j", async (tool, args, keys) => {
    const { data: ours } = await plain.callTool(tool, args);
    const { success, data } = await listed.callTool(tool, args);
    expect({ success, data }).toEqual({ success: true, data: merge(ours, keys) });
    for (const [key, value] of Object.entries(keys))
      if (!Array.isArray(value)) expect(Object.keys(ours)).not.toContain(key);
  });

  it("adds keys to the objects within an answer", async () => {
    const { data: next } = await listed.callTool("task", { action: "next", spec_id: "s" });
    expect([next["file_path"], next["metadata"]]).toEqual(["src/row.ts", stored]);
    const { data: get } = await listed.callTool("spec", { action: "get", spec_id: "s" });
    expect(get["spec"]).toMatchObject({ id: "s", spec_id: "s" });
  });

  it("are in the answers of commands where the setting tools is reference", async () => {
    const cwd = workspace.folder;
    const env = { FOUNDRY_TOOLS: "reference" };
    for (const [command, keys] of commands) {
      const plainAnswer = await callCli(command, { cwd });
      const { data } = await callCli(command, { cwd, env });
      expect(data).toEqual(merge(plainAnswer.data, keys));
      expect(data).not.toEqual(plainAnswer.data);
    }
  });

  it("has a dry run of setup show the settings, and refuses the setup", async () => {
    const { data } = await listed.callTool("environment", { action: "setup", dry_run: true });
    expect(data).toHaveProperty("configuration");
    const refused = await listed.callTool("environment", { action: "setup", dry_run: false });
    expect(refused.data["remediation"]).toMatch(/^A server does not change the settings of its clients\./);
  });
});
