import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Connection } from "@foundry-mcp/toolkit/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callCli, openStdioServer } from "./programs.ts";

let folder: string;
let server: Connection;
let id: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "reference-")));
  await callCli(["init", "--no-sample"], { cwd: folder });
  await writeFile(join(folder, "go.mod"), "module tides\n");
  server = await openStdioServer(folder, ["--tools", "all"]);
  const created = await server.callTool("authoring", {
    action: "spec-create",
    name: "Switch",
    phases: [{ title: "Build", tasks: ["One", "Two", "Three"].map((title) => ({ title })) }],
  });
  id = String(created.data["spec_id"]);
});
afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Calls from the documentation of the Python server. The id of the spec replaces `{id}`. */
const accepted: readonly (readonly [string, Record<string, unknown>, Record<string, unknown>])[] = [
  ["environment", { action: "get-config" }, {}],
  ["environment", { action: "get-config", sections: ["git"] }, {}],
  [
    "environment",
    { action: "verify-env", check_git: false },
    { programs: { node: true }, all_valid: true, missing: [], node_version: process.versions.node },
  ],
  [
    "environment",
    { action: "verify-toolchain", include_optional: false },
    { required: { node: true }, all_available: expect.any(Boolean) },
  ],
  [
    "environment",
    { action: "detect-test-runner" },
    { detected_runners: [{ runner_name: "go", file: "go.mod" }], recommended_default: "go" },
  ],
  [
    "environment",
    { action: "init", path: ".", create_subdirs: true },
    { already_initialized: true, created: [] },
  ],
  ["health", { action: "liveness" }, {}],
  ["health", { action: "check", include_details: true }, {}],
  ["provider", { action: "list", include_unavailable: true }, { providers: [], total_count: 0 }],
  ["server", { action: "llm-status" }, {}],
  ["server", { action: "schema", tool_name: "task" }, { tool: "task" }],
  ["spec", { action: "list", status: "pending", include_progress: true, workspace: "." }, { total_count: 1 }],
  ["spec", { action: "find", spec_id: "{id}" }, { found: true }],
  [
    "spec",
    { action: "validate-fix", spec_id: "{id}", auto_fix: true, create_backup: true, dry_run: true },
    {},
  ],
  ["spec", { action: "analyze" }, { total_count: 1 }],
  ["task", { action: "list", spec_id: "{id}", status_filter: "pending" }, { filtered_count: 3 }],
  ["task", { action: "hierarchy", spec_id: "{id}", max_depth: 2, include_metadata: false }, {}],
  [
    "task",
    { action: "info", spec_id: "{id}", task_id: "task-1-1", include_context: true },
    { task: { title: "One" }, context: { phase: { title: "Build" } } },
  ],
  ["task", { action: "progress", spec_id: "{id}", node_id: "phase-1", include_phases: true }, {}],
  [
    "task",
    { action: "update-estimate", spec_id: "{id}", task_id: "task-1-1", hours: 2, complexity: "low" },
    {},
  ],
  [
    "task",
    {
      action: "update-metadata",
      spec_id: "{id}",
      task_id: "task-1-1",
      custom_metadata: { ticket: "A-1" },
      status_note: "x",
    },
    {},
  ],
  ["task", { action: "start_batch", spec_id: "{id}", task_ids: ["task-1-1", "task-1-2"] }, { processed: 2 }],
  [
    "task",
    {
      action: "complete-batch",
      spec_id: "{id}",
      completions: [
        { task_id: "task-1-1", success: true, completion_note: "Done" },
        { task_id: "task-1-2", success: false, completion_note: "The build fails" },
      ],
    },
    { processed: 2 },
  ],
  [
    "task",
    { action: "unblock", spec_id: "{id}", task_id: "task-1-2", resolution: "Fixed" },
    { status: "pending" },
  ],
  [
    "authoring",
    { action: "risk-add", spec_id: "{id}", description: "Late", likelihood: "low", impact: "high" },
    { kind: "risk" },
  ],
  ["authoring", { action: "risk-list", spec_id: "{id}" }, { filtered_count: 1 }],
  ["authoring", { action: "assumption-add", spec_id: "{id}", text: "Node 20" }, { kind: "assumption" }],
  [
    "authoring",
    { action: "success-criterion-add", spec_id: "{id}", text: "It runs" },
    { kind: "success-criterion" },
  ],
  [
    "authoring",
    { action: "revision-add", spec_id: "{id}", version: "1.1", changes: "More" },
    { kind: "revision" },
  ],
  ["authoring", { action: "spec-update-frontmatter", spec_id: "{id}", key: "owner", value: "team" }, {}],
  [
    "authoring",
    { action: "spec-update-frontmatter", spec_id: "{id}", key: "objectives", value: ["One"] },
    {},
  ],
  [
    "authoring",
    {
      action: "phase-add-bulk",
      spec_id: "{id}",
      phase: { title: "More" },
      tasks: [{ title: "Four" }, { title: "Five", category: "decision" }],
      metadata_defaults: { task_category: "research" },
    },
    {},
  ],
  [
    "authoring",
    {
      action: "phase-add-bulk",
      spec_id: "{id}",
      phase: { title: "Last", metadata_defaults: { estimated_hours: 3 } },
      tasks: [{ title: "Six" }],
      position: 2,
    },
    {},
  ],
  ["authoring", { action: "spec-template", template_action: "list" }, {}],
  ["journal", { action: "list-unjournaled", spec_id: "{id}" }, {}],
  ["plan", { action: "create", name: "A new plan" }, { plan_path: ".plans/a-new-plan.md" }],
  ["plan", { action: "list" }, { plans: [{ name: "a-new-plan", path: ".plans/a-new-plan.md" }], count: 1 }],
  ["research", { action: "deep-research-list" }, {}],
];

const refused: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
  ["task", { action: "session", command: "start", spec_id: "{id}" }, /^There are no autonomous sessions\./],
  ["research", { action: "consensus", prompt: "x" }, /^Foundry does not consult models/],
  ["review", { action: "fidelity-gate", spec_id: "{id}" }, /^Foundry does not review work with a model/],
  ["plan", { action: "review", plan_path: "x" }, /^Foundry does not review work with a model/],
  ["environment", { action: "setup" }, /^A server does not change the settings of its clients\./],
  ["environment", { action: "verify-env", required_packages: ["x"] }, /^Packages are not checked\./],
  ["environment", { action: "init", path: "/elsewhere" }, /^This server has only one workspace\./],
  ["error", { action: "list" }, /^Failures are not stored/],
  ["spec", { action: "list", workspace: "/elsewhere" }, /^This server has only one workspace\./],
  [
    "verification",
    { action: "execute", spec_id: "{id}", verify_id: "v", command: "x" },
    /^Commands run without a shell/,
  ],
  [
    "task",
    { action: "hierarchy", spec_id: "{id}", include_metadata: true },
    /^Nodes are listed without metadata/,
  ],
  ["spec", { action: "duplicate-detection", spec_id: "{id}" }, /^Foundry does not search for similar tasks/],
];

const withId = (args: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(args).map(([name, value]) => [name, value === "{id}" ? id : value]));

describe("calls of the Python foundry-mcp", () => {
  it.each(accepted)("%s %j is answered", async (tool, args, data) => {
    expect(await server.callTool(tool, withId(args))).toMatchObject({ success: true, data });
  });

  it("changed what they say", async () => {
    const { data } = await server.callTool("task", { action: "info", spec_id: id, task_id: "task-1-1" });
    expect(data["task"]).toMatchObject({
      status: "completed",
      metadata: { estimated_hours: 2, complexity: "low", ticket: "A-1", status_note: "x" },
    });
    const added = await server.callTool("task", { action: "query", spec_id: id, parent: "phase-2" });
    expect(added.data["tasks"]).toMatchObject([
      { title: "Four", task_category: "research" },
      { title: "Five", task_category: "decision" },
    ]);
    const last = await server.callTool("task", { action: "query", spec_id: id, parent: "phase-3" });
    expect(last.data["tasks"]).toMatchObject([{ title: "Six", estimated_hours: 3 }]);
    const { data: spec } = await server.callTool("spec", { action: "get", spec_id: id });
    expect(spec["spec"]).toMatchObject({ metadata: { owner: "team", objectives: ["One"] } });
    expect(await readFile(join(folder, "specs/.plans/a-new-plan.md"), "utf8")).toMatch(/^# A new plan\n/);
    const again = await server.callTool("plan", { action: "create", name: "A new plan" });
    expect(again.data["error_code"]).toBe("DUPLICATE_ENTRY");
  });

  it.each(refused)("%s %j is refused with the reason", async (tool, args, reason) => {
    expect(await server.callTool(tool, withId(args))).toMatchObject({
      success: false,
      data: { error_code: "VALIDATION_ERROR", remediation: expect.stringMatching(reason) },
    });
  });

  const warned: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
    ["environment", { action: "get-config", sections: ["git"] }, /^sections and key select nothing here/],
    ["review", { action: "fidelity", spec_id: "{id}", base_branch: "main" }, /base_branch selects nothing/],
    ["review", { action: "fidelity", spec_id: "{id}", ai_tools: ["x"] }, /^No model is consulted/],
    ["research", { action: "deep-research", query: "x" }, /^No source is named/],
    ["research", { action: "deep-research-list", completed_only: true }, /^Research runs in every state/],
  ];

  it.each(warned)("%s %j is answered with a warning, whatever tools are listed", async (tool, args, text) => {
    const { meta } = await server.callTool(tool, withId(args));
    expect(meta.warnings?.[0]).toMatch(text);
  });

  it("are listed with --tools reference alone", async () => {
    const listed = await openStdioServer(folder, ["--tools", "reference"]);
    try {
      const names = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name).toSorted();
      const [ours, theirs] = [await server.listTools(), await listed.listTools()];
      expect(names(theirs)).toEqual([...names(ours), "environment", "health", "plan", "provider"].toSorted());
      expect(JSON.stringify(ours)).not.toMatch(/risk-add|status_filter|start-batch/);
      expect(JSON.stringify(theirs)).toMatch(/risk-add.*status_filter|status_filter.*risk-add/s);
    } finally {
      await listed.close();
    }
  });
});
