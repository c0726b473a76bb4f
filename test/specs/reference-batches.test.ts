import type { Connection } from "@foundry-mcp/toolkit/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStdioServer } from "./programs.ts";
import { createWorkspace, specOf, type TestWorkspace } from "./workspace.ts";

let workspace: TestWorkspace;
let server: Connection;
let other: Connection;
beforeEach(async () => {
  workspace = await createWorkspace("empty");
  const spec = specOf("s", { tasks: 3 });
  for (const [index, node] of Object.values(spec["hierarchy"] as object).entries())
    if (node.type === "task") node.metadata.file_path = `src/${index}.ts`;
  await workspace.write("active/s.json", spec);
  server = await openStdioServer(workspace.folder, ["--tools", "reference"]);
  other = await openStdioServer(workspace.folder, ["--tools", "reference"]);
});
afterEach(async () => {
  await server?.close();
  await other?.close();
  await workspace?.remove();
});

type Row = Readonly<Record<string, unknown>>;

async function task(action: string, args: object = {}, connection = server) {
  const { success, data } = await connection.callTool("task", { action, spec_id: "s", ...args });
  return { success, data: data as Record<string, unknown> };
}

const statuses = async () => {
  const { data } = await task("query");
  return (data["tasks"] as readonly Row[]).map(({ status }) => status);
};
const failureOf = ({ success, data }: { success: boolean; data: Row }) => ({
  success,
  error_code: data["error_code"],
  remediation: data["remediation"],
});

const three = ["task-1-1", "task-1-2", "task-1-3"];

describe("a batch as the Python server documents it", () => {
  it("is prepared, started, completed and reset by one client without tokens", async () => {
    const { data } = await task("prepare-batch", { max_tasks: 3 });
    expect((data["tasks"] as readonly Row[]).map(({ task_id }) => task_id)).toEqual(three);
    const refused = await task("start-batch", { task_ids: three }, other);
    expect([refused.success, refused.data["error_code"]]).toEqual([false, "CONFLICT"]);
    expect(await task("start-batch", { task_ids: three })).toMatchObject({
      data: { processed: 3, failed: 0 },
    });
    const completions = [
      { task_id: "task-1-1", success: true, completion_note: "Done" },
      { task_id: "task-1-2", success: false, completion_note: "It does not build" },
    ];
    const failed = await task("complete-batch", { completions }, other);
    expect([failed.success, failed.data["error_code"]]).toEqual([false, "CONFLICT"]);
    expect(await task("complete-batch", { completions })).toMatchObject({
      data: { processed: 2, failed: 0 },
    });
    expect(await task("reset-batch", { task_ids: ["task-1-3"] })).toMatchObject({ data: { processed: 1 } });
    expect(await statuses()).toEqual(["completed", "blocked", "pending"]);
    const { data: info } = await task("info", { task_id: "task-1-2" });
    expect((info["task"] as Row)["blocker"]).toEqual({ type: "technical", reason: "It does not build" });
  });

  it("is reset whatever became of its tasks: handed out, started, failed, not begun", async () => {
    await task("prepare-batch", { max_tasks: 2 });
    await task("start-batch", { task_ids: ["task-1-2"] });
    const completions = [{ task_id: "task-1-2", success: false, completion_note: "It does not build" }];
    await task("complete-batch", { completions });
    expect(await statuses()).toEqual(["pending", "blocked", "pending"]);
    const refused = await task("reset-batch", { task_ids: three }, other);
    // The claim of another connection still protects its task.
    expect(refused.data["failures"]).toEqual([
      { task_id: "task-1-1", error: expect.stringContaining("holds a claim on it"), error_code: "CONFLICT" },
    ]);
    expect(await statuses()).toEqual(["pending", "pending", "pending"]);
    expect(await task("reset-batch", { task_ids: three })).toMatchObject({
      success: true,
      data: { processed: 3, failed: 0 },
    });
    const { data } = await task("prepare-batch", { max_tasks: 3 }, other);
    expect((data["tasks"] as readonly Row[]).map(({ task_id }) => task_id)).toEqual(three);
  });

  it("refuses to reset a completed task, and names the call that reopens it", async () => {
    await task("complete", { task_id: "task-1-1" });
    const { success, data } = await task("reset-batch", { task_ids: ["task-1-1"] });
    expect({ success, remedy: data["remedy"] }).toEqual({
      success: false,
      remedy: {
        tool: "task",
        action: "reopen",
        arguments: { spec_id: "s", task_id: "task-1-1" },
        needs: ["reason"],
      },
    });
  });

  it("tells a client that lost its token in a restart how to release its task", async () => {
    await task("prepare-batch", { max_tasks: 1 });
    const start = await task("start", { task_id: "task-1-1" }, other);
    const release = (start.data["other_remedies"] as readonly { readonly arguments: Row }[]).at(-1);
    expect([start.data["remediation"], release]).toEqual([
      expect.stringContaining(
        'if the claim is yours and its claim_token is lost, release the task: task(action="release", spec_id="s", task_id="task-1-1", force=true)',
      ),
      { tool: "task", action: "release", arguments: { spec_id: "s", task_id: "task-1-1", force: true } },
    ]);
    expect(await task("release", release?.arguments, other)).toMatchObject({ data: { released: true } });
    expect(await task("start", { task_id: "task-1-1" }, other)).toMatchObject({ success: true });
  });

  it("is started and completed with the tokens by whoever has them", async () => {
    const { data } = await task("prepare-batch", { max_tasks: 3 });
    const tokens = Object.fromEntries(
      (data["tasks"] as readonly Row[]).map(({ task_id, claim_token }) => [task_id, claim_token]),
    );
    expect(await task("start-batch", { task_ids: three, claim_tokens: tokens }, other)).toMatchObject({
      data: { processed: 3 },
    });
    const completions = three.map((task_id) => ({ task_id, claim_token: tokens[task_id] }));
    const wrong = [{ task_id: "task-1-1", claim_token: tokens["task-1-2"] }];
    expect((await task("complete-batch", { completions: wrong })).data["error_code"]).toBe("CONFLICT");
    expect(await task("complete-batch", { completions }, other)).toMatchObject({ data: { processed: 3 } });
    expect(await statuses()).toEqual(["completed", "completed", "completed"]);
  });

  it("refuses what it does not understand, in the words of the caller", async () => {
    const completions = "Pass completions, a list of {task_id, success, completion_note, claim_token}.";
    expect(
      await Promise.all([
        task("start-batch"),
        task("complete-batch"),
        task("reset-batch"),
        task("complete-batch", { completions: [{ task_id: "task-1-1", hours: 2 }] }),
        task("start-batch", { task_ids: three, claim_tokens: "x" }),
      ]).then((answers) => answers.map(failureOf)),
    ).toEqual([
      { success: false, error_code: "MISSING_REQUIRED", remediation: "Provide task_ids." },
      { success: false, error_code: "MISSING_REQUIRED", remediation: "Provide completions." },
      { success: false, error_code: "MISSING_REQUIRED", remediation: "Provide task_ids." },
      { success: false, error_code: "VALIDATION_ERROR", remediation: completions },
      {
        success: false,
        error_code: "VALIDATION_ERROR",
        remediation: "Pass claim_tokens as an object with the token of each task_id.",
      },
    ]);
  });
});
