import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Envelope } from "@foundry-mcp/contract";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callCli, openStdioServer } from "./programs.ts";
import { createWorkspace, type TestWorkspace } from "./workspace.ts";

const markdown = `# Order

## Build

- [ ] Run the tests {.verify}
- [ ] Write it
`;

let workspace: TestWorkspace;
let spec_id: string;
const cli = (...argv: string[]): Promise<Envelope> => callCli(argv, { cwd: workspace.folder });
/** Returns the payload of a command, with its warnings. */
const told = async (...argv: string[]) => {
  const { data, error, meta } = await cli(...argv);
  return { ...(data as Record<string, unknown>), error, warnings: meta.warnings };
};

beforeEach(async () => {
  workspace = await createWorkspace();
  await writeFile(join(workspace.folder, "order.md"), markdown);
  const made = await cli("specs", "import", "order.md");
  spec_id = String((made.data as Record<string, unknown>)["spec_id"]);
});
afterEach(() => workspace.remove());

const open = "1 task that it verifies is open below phase-1: task-1-1";

describe("a verify node before its work in the document", () => {
  it("comes after it on the command line, and again when it fails", async () => {
    expect(await told("tasks", "next", spec_id)).toMatchObject({ task_id: "task-1-1" });
    expect(await told("tasks", "check-deps", spec_id, "verify-1-1")).toMatchObject({
      status: "blocked",
      can_start: false,
      blocked_by: ["task-1-1"],
      open_work: { parent: "phase-1", count: 1 },
      blocker: { task_id: "task-1-1", type: "dependency", reason: "Verifies task-1-1: Write it" },
      warnings: [`verify-1-1 is not ready yet: ${open}`],
    });
    expect(await told("tasks", "list-blocked", spec_id)).toMatchObject({
      tasks: [{ task_id: "verify-1-1", blocked_by: ["task-1-1"] }],
    });
    expect(await told("tasks", "claim", spec_id, "verify-1-1")).toMatchObject({
      error_code: "DEPENDENCY_ERROR",
      error: `Cannot claim verify-1-1: ${open}`,
    });
    expect(await told("tasks", "start", spec_id, "verify-1-1", "--dry-run")).toMatchObject({
      dry_run: true,
      status: "in_progress",
      warnings: [`verify-1-1 runs before the work that it verifies is done: ${open}`],
    });
    await cli("tasks", "complete", spec_id, "task-1-1");
    expect(await told("tasks", "next", spec_id)).toMatchObject({ task_id: "verify-1-1" });
    await cli("tasks", "complete", spec_id, "verify-1-1");
    const fail = ["verification", "add", spec_id, "verify-1-1", "--result", "FAILED"];
    const reopened = {
      reopened: true,
      warnings: ["verify-1-1 was completed and is pending again: its verification FAILED"],
    };
    expect(await told(...fail, "--dry-run")).toMatchObject({ dry_run: true, ...reopened });
    expect(await told("tasks", "next", spec_id)).toMatchObject({ found: false, reason: "complete" });
    expect(await told(...fail)).toMatchObject(reopened);
    expect(await told("tasks", "next", spec_id)).toMatchObject({ task_id: "verify-1-1" });
    expect(await told("journal", "list", spec_id, "--limit", "1")).toMatchObject({
      entries: [{ title: "Task Reopened: Run the tests", task_id: "verify-1-1" }],
    });
  });

  it("waits for tasks that are added, over MCP", async () => {
    const server = await openStdioServer(workspace.folder);
    try {
      const call = async (tool: string, args: object) =>
        (await server.callTool(tool, { spec_id, ...args })).data;
      await call("task", { action: "complete", task_id: "task-1-1" });
      await call("task", { action: "move", task_id: "verify-1-1", position: 1 });
      const added = { parent: "phase-1", title: "More" };
      expect(await call("task", { action: "add", ...added })).toMatchObject({
        task_id: "task-1-2",
        position: 1,
      });
      expect(
        await call("authoring", { action: "apply", operations: [{ op: "add", ...added }] }),
      ).toMatchObject({ results: [{ task_id: "task-1-3", position: 2 }] });
      expect(await call("task", { action: "next", claim: true })).toMatchObject({ task_id: "task-1-2" });
      expect(await call("task", { action: "next", claim: true })).toMatchObject({ task_id: "task-1-3" });
      expect(await call("task", { action: "wait", timeout_seconds: 0 })).toMatchObject({ ready: false });
      expect(await call("spec", { action: "analyze-deps" })).toMatchObject({
        ready: ["task-1-2", "task-1-3"],
      });
    } finally {
      await server.close();
    }
  });
});
