import type { Connection } from "@foundry-mcp/toolkit/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callCli, openStdioServer } from "./programs.ts";
import { createWorkspace, specOf, type TestWorkspace } from "./workspace.ts";

let workspace: TestWorkspace;
let server: Connection;
beforeAll(async () => {
  workspace = await createWorkspace("empty");
  await workspace.write("active/plan.json", specOf("plan", { tasks: 3 }));
  const broken = specOf("broken", { tasks: 3 });
  const hierarchy = broken.hierarchy as Record<string, Record<string, unknown>>;
  for (const [id, node] of Object.entries(hierarchy))
    if (id.startsWith("task-")) {
      delete (node["metadata"] as Record<string, unknown>)["complexity"];
      node["status"] = "unknown";
    }
  await workspace.write("pending/broken.json", broken);
  const loose = specOf("loose-tasks", { tasks: 2 });
  const nodes = loose.hierarchy as Record<string, Record<string, unknown>>;
  nodes["spec-root"] = { ...nodes["spec-root"], children: ["phase-1", "task-9"] };
  nodes["task-9"] = { ...nodes["task-1-1"], title: "Loose", parent: "spec-root" };
  await workspace.write("active/loose-tasks.json", {
    ...loose,
    title: "loose-tasks",
    metadata: { title: "Loose tasks of a person" },
  });
  server = await openStdioServer(workspace.folder, ["--tools", "all"]);
});
afterAll(async () => {
  await server.close();
  await workspace.remove();
});

describe("arguments whose meaning is certain", () => {
  it("are one call with those of the schema, also for an idempotency key", async () => {
    const key = { idempotency_key: "k1" };
    const strict = { action: "add", spec_id: "plan", parent: "phase-1", title: "More", position: 0, ...key };
    const sent = { action: "add", specId: " plan ", parent: "phase-1", title: "More", position: "0", ...key };
    const first = await server.callTool("task", strict);
    const second = await server.callTool("task", sent);
    expect(second.data).toEqual(first.data);
    expect(second.meta.warnings).toEqual([
      "Arguments were corrected: specId as spec_id, position as an integer, " +
        "spec_id as the text without the white space around it",
      "This call was made before with the same idempotency_key; nothing was changed again",
    ]);
  });

  it("are read within the operations of a list, before roles and keys look at them", async () => {
    const operations = [{ op: "update", taskId: "task-1-1", estimatedHours: "2", metadata: '{"a":1}' }];
    const { data, meta } = await server.callTool("authoring", {
      action: "apply",
      spec_id: "plan",
      operations,
    });
    expect(data).toMatchObject({ applied: 1 });
    expect(meta.warnings).toEqual([
      "Arguments were corrected: operations[0].taskId as task_id, " +
        "operations[0].estimatedHours as estimated_hours, operations[0].metadata as an object, " +
        "operations[0].estimated_hours as a number",
    ]);
    const { data: info } = await server.callTool("task", {
      action: "info",
      spec_id: "plan",
      task_id: "task-1-1",
    });
    expect(info).toMatchObject({ task: { metadata: { estimated_hours: 2, a: 1 } } });
  });
});

describe("validate", () => {
  it("tells equal diagnostics once, with their count, their places and a call, on MCP and the command line", async () => {
    const { data } = await server.callTool("spec", { action: "validate", spec_id: "broken" });
    const rows = data["diagnostics"] as { code: string; count: number; location: string }[];
    const wanted = {
      code: "MISSING_COMPLEXITY",
      count: 3,
      location: "task-1-1",
      locations: ["task-1-1", "task-1-2", "task-1-3"],
      remedy: {
        tool: "task",
        action: "update",
        arguments: { spec_id: "broken", task_id: "task-1-1", metadata: { complexity: "medium" } },
      },
    };
    expect(rows.find(({ code }) => code === "MISSING_COMPLEXITY")).toMatchObject({
      ...wanted,
      suggested_fix:
        'Set metadata.complexity to one of low, medium, high. Call task(action="update", spec_id="broken", task_id="task-1-1", metadata={"complexity":"medium"}).',
    });
    const sum = rows.reduce((total, { count }) => total + count, 0);
    expect(sum).toBe(Number(data["error_count"]) + Number(data["warning_count"]));
    const each = await server.callTool("spec", { action: "validate", spec_id: "broken", detail: true });
    expect(each.data["diagnostics"]).toHaveLength(sum);
    const cli = await callCli(["validate", "check", "broken"], { cwd: workspace.folder });
    const shown = (cli.data["diagnostics"] as { code: string }[]).find(({ code }) => code === wanted.code);
    expect(shown).toMatchObject({ ...wanted, suggested_fix: expect.stringContaining("foundry-cli ") });
  });

  it("is hinted at where an invalid spec is activated", async () => {
    const { success, meta } = await server.callTool("lifecycle", { action: "activate", spec_id: "broken" });
    expect(success).toBe(true);
    expect(meta.warning_details).toMatchObject([
      {
        code: "INVALID_SPEC",
        message: expect.stringContaining('spec(action="validate", spec_id="broken") lists them.'),
        context: { error_count: 3 },
      },
    ]);
  });
});

it("tasks below the root are no phases, and a title is one that a person wrote", async () => {
  const { data } = await server.callTool("task", { action: "progress", spec_id: "loose-tasks" });
  expect(data).toMatchObject({ title: "Loose tasks of a person" });
  expect((data["phases"] as { id: string }[]).map(({ id }) => id)).not.toContain("task-9");
});
