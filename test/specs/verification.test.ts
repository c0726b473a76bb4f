import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Envelope } from "@foundry-mcp/contract";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callCli, cliScript, openStdioServer, runProgram } from "./programs.ts";
import { createWorkspace, specOf, type TestWorkspace } from "./workspace.ts";

const spec_id = "proved";
const verify_id = "verify-1-1";

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await createWorkspace();
  const spec = specOf(spec_id, { tasks: 2, completed: ["task-1-1", "task-1-2"] });
  const nodes = spec.hierarchy as Record<string, Record<string, unknown>>;
  nodes[verify_id] = {
    ...nodes["task-1-1"],
    type: "verify",
    title: "All is well",
    status: "pending",
    completed_tasks: 0,
    metadata: { verification_type: "run-tests", evidence: "required", command: "sh check.sh" },
  };
  nodes["phase-1"] = { ...nodes["phase-1"], children: ["task-1-1", "task-1-2", verify_id] };
  await workspace.write("active/proved.json", spec);
  await cli("validate", "fix", spec_id);
});
afterEach(() => workspace.remove());

const cli = (...argv: string[]): Promise<Envelope> => callCli(argv, { cwd: workspace.folder });
/** Allows programs in the user's own file, because a workspace may not set this setting. */
const allow = async (programs: readonly string[]) => {
  const folder = join(workspace.folder, ".config/foundry");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "foundry.toml"), `verify_programs = ${JSON.stringify(programs)}\n`);
};
const check = (script: string) => writeFile(join(workspace.folder, "check.sh"), script);

describe("verification on the command line", () => {
  it("is what a completion waits for", async () => {
    await allow(["sh"]);
    await check("echo checked; echo token=$FOUNDRY_TOKEN; test -e ready");
    const early = await cli("tasks", "complete", spec_id, verify_id);
    expect(early).toMatchObject({ success: false, data: { error_code: "INVALID_STATE" } });
    const failed = await cli("verification", "execute", spec_id, verify_id);
    expect(failed).toMatchObject({ success: true, data: { result: "FAILED", exit_code: 1, recorded: true } });
    expect((await cli("tasks", "complete", spec_id, verify_id)).error).toMatch(/is FAILED, not PASSED/);
    await writeFile(join(workspace.folder, "ready"), "");
    const passed = await callCli(["verification", "execute", spec_id, verify_id], {
      cwd: workspace.folder,
      env: { FOUNDRY_TOKEN: "secret" },
    });
    expect(passed.data).toMatchObject({ result: "PASSED", output_tail: "checked\ntoken=\n" });
    const { output_file } = passed.data as { output_file: string };
    expect(await readFile(join(workspace.specs, output_file), "utf8")).toBe("checked\ntoken=\n");
    await cli("tasks", "update", spec_id, "task-1-2", "--title", "Something else");
    expect((await cli("tasks", "complete", spec_id, verify_id)).error).toMatch(/is older than a change of/);
    await cli("verification", "add", spec_id, verify_id, "--result", "PASSED", "--notes", "Seen by eye");
    expect((await cli("tasks", "complete", spec_id, verify_id)).success).toBe(true);
  });

  it("runs the words behind --, and only programs that are named", async () => {
    const run = ["verification", "execute", spec_id, verify_id, "--", "printf", "%s", "a b"];
    expect((await cli(...run)).data).toMatchObject({ error_code: "FEATURE_DISABLED" });
    await allow(["sh"]);
    expect((await cli(...run)).data).toMatchObject({ error_code: "FORBIDDEN" });
    await allow(["printf"]);
    expect((await cli(...run)).data).toMatchObject({ argv: ["printf", "%s", "a b"], output_tail: "a b" });
  });

  it("ends and records what hangs", async () => {
    await allow(["sh"]);
    await check("trap '' TERM; sleep 1000 & sleep 1000; sleep 1000");
    const { data } = await cli("verification", "execute", spec_id, verify_id, "--timeout-seconds", "1");
    expect(data).toMatchObject({ result: "FAILED", ended: "timeout", signal: "SIGKILL", recorded: true });
  });

  it("leaves nothing running when it is interrupted", async () => {
    await allow(["sh"]);
    await check("echo $$ > pid; exec sleep 1000");
    // The shell interrupts the command once the program runs.
    const script = `"$1" "$2" verification execute ${spec_id} ${verify_id} & until [ -s pid ]; do sleep 0.05; done; kill -INT $!; wait $!`;
    await runProgram(["bash", "-c", script, "bash", process.execPath, cliScript], {
      cwd: workspace.folder,
    });
    const pid = Number(await readFile(join(workspace.folder, "pid"), "utf8"));
    const isThere = () => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await expect.poll(isThere).toBe(false);
  });
});

describe("verification over MCP", () => {
  it("keeps the output where content gives it", async () => {
    await allow(["sh"]);
    await check("echo checked");
    const server = await openStdioServer(workspace.folder);
    try {
      const call = (tool: string, args: Readonly<Record<string, unknown>>) => server.callTool(tool, args);
      const { data } = await call("verification", { action: "execute", spec_id, verify_id });
      expect(data).toMatchObject({ result: "PASSED", output_tail: "checked\n", recorded: true });
      const { archive_id } = data as { archive_id: string };
      const content = await call("content", { action: "get", archive_id, content_id: "/output" });
      expect(content.data).toMatchObject({ text: "checked\n" });
      const done = await call("task", { action: "complete", spec_id, task_id: verify_id });
      expect(done.data).toMatchObject({ status: "completed" });
    } finally {
      await server.close();
    }
  });
});
