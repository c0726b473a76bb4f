import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Envelope } from "@foundry-mcp/contract";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callCli, openStdioServer, runProgram } from "./programs.ts";
import { createWorkspace, specOf, type TestWorkspace } from "./workspace.ts";

const spec_id = "reviewed";
const verify_id = "verify-1-1";

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await createWorkspace();
  const spec = specOf(spec_id, { tasks: 2, completed: ["task-1-1", "task-1-2"] });
  const nodes = spec.hierarchy as Record<string, { metadata: object }>;
  nodes[verify_id] = {
    ...(nodes["task-1-1"] as { metadata: object }),
    ...{ type: "verify", title: "Compare it with the plan", status: "pending", completed_tasks: 0 },
    metadata: { verification_type: "fidelity", evidence: "required" },
  };
  Object.assign(nodes["task-1-1"]?.metadata ?? {}, {
    file_path: "src/a.ts",
    started_at: "2026-01-02T00:00:00Z",
  });
  Object.assign(nodes["phase-1"] ?? {}, { children: ["task-1-1", "task-1-2", verify_id] });
  const metadata = { ...spec.metadata, mission: "Know the tides", plan_path: "plans/tides.md" };
  await workspace.write("active/reviewed.json", { ...spec, metadata });
  await cli("validate", "fix", spec_id);
});
afterEach(() => workspace.remove());

const cli = (...argv: string[]): Promise<Envelope> => callCli(argv, { cwd: workspace.folder });
const write = async (path: string, text: string) => {
  await mkdir(join(workspace.folder, path, ".."), { recursive: true });
  await writeFile(join(workspace.folder, path), text);
};
const git = (...argv: string[]) => {
  const who = {
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@b",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@b",
  };
  const at = { GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z", GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z" };
  return runProgram(["git", ...argv], { cwd: workspace.folder, env: { ...who, ...at } });
};
const commitPlan = async (text: string) => {
  await write("plans/tides.md", text);
  await write("src/a.ts", "one\n");
  await git("init", "-q");
  await git("add", "-A");
  await git("commit", "-q", "-m", "one");
  await write("src/a.ts", "two\n");
};

describe("review on the command line", () => {
  it("leads from the bundle to the evidence that completion takes", async () => {
    await commitPlan("# Tides\n");
    const { data } = await cli("review", "prepare", spec_id, verify_id);
    expect(data).toMatchObject({
      spec_id,
      task_id: verify_id,
      mission: "Know the tides",
      phase: { id: "phase-1", purpose: "To be worked through" },
      tasks: [
        { task_id: "task-1-1", file_path: "src/a.ts", acceptance_criteria: ["It is done"] },
        { task_id: "task-1-2" },
      ],
      evidence: [{ verify_id, is_required: true, last: null }],
      reviews: [],
      plan: { path: "plans/tides.md", text: "# Tides\n" },
      diff: {
        since: "2026-01-02T00:00:00.000Z",
        base: expect.stringMatching(/^[0-9a-f]{40}$/),
        files: [
          {
            path: "src/a.ts",
            status: "modified",
            lines_added: 1,
            lines_removed: 1,
            diff: "@@ -1 +1 @@\n-one\n+two\n",
          },
        ],
        omitted: [],
      },
    });
    const early = await cli("tasks", "complete", spec_id, verify_id);
    expect(early.data["error_code"]).toBe("INVALID_STATE");
    const finding = { severity: "major", message: "The name is wrong", file: "src/a.ts", line: 1 };
    const refused = ["--verdict", "changes_requested", "--summary", "Nearly"];
    const first = await cli(
      "review",
      "add",
      spec_id,
      verify_id,
      ...refused,
      "--findings",
      JSON.stringify([finding]),
    );
    expect(first.data).toMatchObject({ verification_result: "FAILED", finding_count: 1, stale: false });
    const approval = ["--verdict", "approved", "--summary", "As planned"];
    const second = await cli(
      "review",
      "add",
      spec_id,
      verify_id,
      ...approval,
      "--work-hash",
      String(data["work_hash"]),
    );
    expect(second.data).toMatchObject({ verification_result: "PASSED", stale: false });
    expect((await cli("tasks", "complete", spec_id, verify_id)).success).toBe(true);
    await cli("review", "add", spec_id, ...approval);
    await cli("tasks", "update", spec_id, "task-1-1", "--title", "Else");
    const { data: listed } = await cli("review", "list", spec_id);
    const reviews = listed["reviews"] as Record<string, unknown>[];
    expect(reviews.map(({ task_id, verdict, stale }) => [task_id, verdict, stale])).toEqual([
      [null, "approved", true],
      [verify_id, "approved", true],
      [verify_id, "changes_requested", true],
    ]);
    expect(reviews[2]?.["findings"]).toEqual([finding]);
    const one = await cli("review", "list", spec_id, "task-1-1");
    expect(one.data).toMatchObject({ reviews: [], total_count: 0 });
  });

  it("says why there is no diff and no plan, and has the rest", async () => {
    await writeFile(join(workspace.folder, "secret.md"), "secret");
    await mkdir(join(workspace.folder, "plans"));
    await symlink("/etc/hostname", join(workspace.folder, "plans/tides.md"));
    const { data } = await callCli(["review", "prepare", spec_id], {
      cwd: workspace.folder,
      env: { PATH: "" },
    });
    expect(data).toMatchObject({
      task_id: null,
      tasks: [{ task_id: "task-1-1" }, { task_id: "task-1-2" }],
      plan: { path: "plans/tides.md", unavailable: expect.stringMatching(/a link leads out of the folder/) },
      diff: { unavailable: "No diff: git is not installed outside of the workspace" },
    });
    const { data: phase } = await cli("review", "prepare", spec_id, "task-1-2");
    expect(phase["diff"]).toEqual({ since: null, unavailable: "No diff: none of the tasks has a file_path" });
  });
});

describe("review over MCP", () => {
  it("fits its budget, and the rest can be fetched", async () => {
    await commitPlan("The tides come and go. ".repeat(4_000));
    const server = await openStdioServer(workspace.folder);
    try {
      const { data, meta } = await server.callTool("review", {
        action: "prepare",
        spec_id,
        max_tokens: 2_000,
      });
      expect(data).toMatchObject({ spec_id, diff: { files: [{ path: "src/a.ts", status: "modified" }] } });
      expect([meta.content_fidelity, meta.dropped_content_ids]).toEqual(["partial", ["/plan/text"]]);
      const [archive_id] = Object.keys(meta.content_archive_hashes ?? {});
      const rest = await server.callTool("content", { action: "get", archive_id, content_id: "/plan/text" });
      expect(rest.success).toBe(true);
    } finally {
      await server.close();
    }
  });
});
