import { spawnSync } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkEnvelope, type Envelope } from "@foundry-mcp/contract";
import type { Connection } from "@foundry-mcp/toolkit/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callCli, cliScript, openStdioServer, runProgram } from "./programs.ts";
import { createWorkspace, specOf, type TestWorkspace } from "./workspace.ts";

// These are the literal examples of the documents: 000 is the canonical contract, 001 the envelope guide, 002 the
// schema guide, 003 the contract for tool users. If the documents disagree, section 9 of the settled contract
// decides.

let workspace: TestWorkspace;
let server: Connection;
let bin: string;
beforeAll(async () => {
  workspace = await createWorkspace();
  bin = join(workspace.folder, "bin");
  await mkdir(bin);
  const program = join(bin, "foundry-cli");
  await writeFile(
    program,
    `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(cliScript)} "$@"\n`,
  );
  await chmod(program, 0o755);
  const blockedBy = { "task-1-2": ["task-1-1"] };
  await workspace.write("active/my-feature.json", specOf("my-feature", { phases: 3, tasks: 50, blockedBy }));
  await workspace.write("active/my-spec.json", specOf("my-spec", { title: "My Spec" }));
  const completed = ["task-1-1", "task-1-2", "task-1-3", "task-2-1", "task-2-2"];
  const example = { title: "Example Specification", phases: 2, tasks: 5, completed };
  await workspace.write("active/example-spec.json", specOf("example-spec", example));
  for (let index = 0; index < 57; index++) {
    const id = `other-${String(index).padStart(2, "0")}`;
    await workspace.write(`pending/${id}.json`, specOf(id));
  }
  server = await openStdioServer(workspace.folder);
});
afterAll(async () => {
  await server.close();
  await workspace.remove();
});

/** Runs lines in a shell where `foundry-cli` is installed. */
const shell = (lines: string) =>
  runProgram(["bash", "-c", lines], {
    cwd: workspace.folder,
    env: { PATH: `${bin}:${process.env["PATH"]}` },
  });
const has = (program: string) => spawnSync(program, ["--version"]).status === 0;
const call = async (tool: string, args: object): Promise<Envelope> => {
  const envelope = await server.callTool(tool, args);
  expect(checkEnvelope(envelope).filter(({ level }) => level === "MUST")).toEqual([]);
  return envelope;
};

describe("001, Using pagination", () => {
  it("foundry-cli specs find --limit 50", async () => {
    const { stdout, code } = await shell("foundry-cli specs find --limit 50");
    const { data, meta } = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(data.specs).toHaveLength(50);
    expect(data.total_count).toBe(60);
    expect(meta.pagination).toEqual({
      cursor: expect.any(String),
      has_more: true,
      total_count: 60,
      page_size: 50,
    });
  });

  it('foundry-cli specs find --limit 50 --cursor "eyJvZmZzZXQiOjUwfQ=="', async () => {
    const { stdout } = await shell('foundry-cli specs find --limit 50 --cursor "eyJvZmZzZXQiOjUwfQ=="');
    const { data, meta } = JSON.parse(stdout);
    expect(data.specs.map(({ id }: { id: string }) => id)).toEqual(
      Array.from({ length: 10 }, (_, index) => `other-${index + 47}`),
    );
    expect(meta.pagination).toEqual({ cursor: null, has_more: false, total_count: 60, page_size: 10 });
  });

  it("goes on with the cursor of the answer before", async () => {
    const first = await callCli(["specs", "find", "--limit", "50"], { cwd: workspace.folder });
    const cursor = String(first.meta.pagination?.cursor);
    const rest = await callCli(["specs", "find", "--limit", "50", "--cursor", cursor], {
      cwd: workspace.folder,
    });
    expect(rest.data["specs"]).toHaveLength(10);
  });
});

describe.skipIf(!has("jq"))("001, Using jq", () => {
  const printed = async (line: string) => JSON.parse((await shell(line)).stdout) as unknown;

  it("foundry-cli specs find | jq '.data.specs'", async () => {
    const specs = (await printed("foundry-cli specs find | jq '.data.specs'")) as object[];
    expect(specs).toHaveLength(50);
    // The golden list of the documents prints the same row.
    expect(specs[0]).toMatchObject({
      id: "example-spec",
      title: "Example Specification",
      status: "active",
      progress: { completed: 5, total: 10, percentage: 50 },
    });
  });

  it("foundry-cli validate check my-spec | jq '.success'", async () => {
    expect(await printed("foundry-cli validate check my-spec | jq '.success'")).toBe(true);
  });

  // §9: "CLI errors | 001 pipes stdout to jq; the reference writes stderr | stdout".
  it("foundry-cli tasks complete bad-spec bad-task | jq '.error'", async () => {
    const line = "foundry-cli tasks complete bad-spec bad-task | jq '.error'";
    expect(await printed(line)).toBe("Spec not found: bad-spec");
  });

  it("foundry-cli specs find | jq '.meta.pagination.has_more'", async () => {
    expect(await printed("foundry-cli specs find | jq '.meta.pagination.has_more'")).toBe(true);
  });

  it("the scripting example", async () => {
    const script = `#!/bin/bash
result=$(foundry-cli specs find --status active)
success=$(echo "$result" | jq -r '.success')
if [ "$success" = "true" ]; then
specs=$(echo "$result" | jq -r '.data.specs[].id')
for spec in $specs; do
echo "Processing: $spec"
done
else
error=$(echo "$result" | jq -r '.error')
echo "Error: $error"
exit 1
fi`;
    expect(await shell(script)).toEqual({
      code: 0,
      stdout: "Processing: example-spec\nProcessing: my-feature\nProcessing: my-spec\n",
      stderr: "",
    });
  });
});

describe.skipIf(!has("python3"))("001, Python Example", () => {
  const script = (command: string) => `
import subprocess
import json
def call_foundry(command: list[str]) -> dict:
    result = subprocess.run(
        ["foundry-cli"] + command,
        capture_output=True,
        text=True
    )
    return json.loads(result.stdout)
response = call_foundry(${command})
if response["success"]:
    for spec in response["data"]["specs"]:
        print(f"Spec: {spec['id']} - {spec['title']}")
    if response["meta"].get("pagination", {}).get("has_more"):
        cursor = response["meta"]["pagination"]["cursor"]
        # Fetch next page...
else:
    error = response["error"]
    remediation = response["data"].get("remediation", "")
    print(f"Error: {error}")
    print(f"Fix: {remediation}")
`;
  const python = (command: string) =>
    runProgram(["python3", "-c", script(command)], {
      cwd: workspace.folder,
      env: { PATH: `${bin}:${process.env["PATH"]}` },
    });

  it('call_foundry(["specs", "find", "--status", "active"])', async () => {
    expect(await python('["specs", "find", "--status", "active"]')).toEqual({
      code: 0,
      stdout:
        "Spec: example-spec - Example Specification\nSpec: my-feature - Sample my-feature\nSpec: my-spec - My Spec\n",
      stderr: "",
    });
  });

  it("prints error and remedy where it fails", async () => {
    const { stdout, code } = await python('["specs", "find", "--status", "actve"]');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Error: .+\nFix: .*active.*\n$/);
  });
});

describe("001, answers", () => {
  // §9: "spec rows | … a payload about one spec carries spec_id", "progress | … the object".
  it("one spec: spec_id, title, status, progress", async () => {
    const { data } = await call("lifecycle", { action: "state", spec_id: "example-spec" });
    expect(data).toMatchObject({
      spec_id: "example-spec",
      title: "Example Specification",
      status: "active",
      progress: { completed: 5, total: 10, percentage: 50 },
    });
  });

  it('Empty Results: {"specs": [], "total_count": 0}', async () => {
    const empty = await createWorkspace();
    const { data, meta } = await callCli(["specs", "find"], { cwd: empty.folder });
    await empty.remove();
    expect(data).toEqual({ specs: [], total_count: 0 });
    expect(meta.pagination).toEqual({ cursor: null, has_more: false, total_count: 0, page_size: 0 });
  });

  // §9: "a missing spec | NOT_FOUND (003), SPEC_NOT_FOUND (000, 001) | SPEC_NOT_FOUND".
  it("Error Response: SPEC_NOT_FOUND of nonexistent-spec", async () => {
    const { success, data, error } = await call("spec", { action: "get", spec_id: "nonexistent-spec" });
    expect({ success, data, error }).toEqual({
      success: false,
      data: {
        error_code: "SPEC_NOT_FOUND",
        error_type: "not_found",
        remediation: expect.stringContaining('spec(action="list")'),
        remedy: { tool: "spec", action: "list" },
        details: { resource_type: "spec", resource_id: "nonexistent-spec" },
      },
      error: "Spec not found: nonexistent-spec",
    });
  });

  // §9: "`specs list` (001, a remedy) and `specs find` | both printed | both work, the same".
  it("Verify the spec ID using 'specs list'", async () => {
    const list = await callCli(["specs", "list"], { cwd: workspace.folder });
    expect(list.data).toEqual((await callCli(["specs", "find"], { cwd: workspace.folder })).data);
  });

  it("Multi-Payload Responses: each under its name", async () => {
    const { data } = await call("spec", { action: "get", spec_id: "my-spec" });
    expect(data["spec"]).toMatchObject({ id: "my-spec", title: "My Spec" });
    expect(data["spec"]).toHaveProperty("progress", { completed: 0, total: 3, percentage: 0 });
  });

  it("Partial Success: processed, failed, results and a warning", async () => {
    const operations = [
      { op: "start", task_id: "task-1-1" },
      { op: "start", task_id: "task-9-9" },
    ];
    const { success, data, meta } = await call("task", { action: "batch", spec_id: "other-00", operations });
    expect(success).toBe(true);
    expect(data).toMatchObject({
      processed: 1,
      failed: 1,
      results: [expect.objectContaining({ task_id: "task-1-1" })],
      // 003 prints {"task_id": …, "error": …} in `failures`.
      failures: [{ task_id: "task-9-9", error: expect.any(String), error_code: "TASK_NOT_FOUND" }],
    });
    expect(meta.warnings).toHaveLength(1);
    expect(meta.warning_details).toMatchObject([{ code: "PARTIAL_FAILURE", severity: "warning" }]);
  });

  it("Blocked Operations: blocked_by, can_start and a warning", async () => {
    const { success, data, meta } = await call("task", {
      action: "check-deps",
      spec_id: "my-feature",
      task_id: "task-1-2",
    });
    expect(success).toBe(true);
    expect(data).toMatchObject({
      task_id: "task-1-2",
      status: "blocked",
      blocked_by: ["task-1-1"],
      can_start: false,
    });
    expect(meta.warnings).toEqual(["task-1-2 cannot start yet: it waits for task-1-1"]);
  });
});

describe("000", () => {
  it('Verify the spec ID exists using spec(action="list")', async () => {
    expect((await call("spec", { action: "list" })).data["specs"]).toHaveLength(50);
  });

  // §9: "a missing field | VALIDATION_ERROR and MISSING_REQUIRED (000) | MISSING_REQUIRED".
  it("Provide a non-empty spec_id parameter", async () => {
    const { success, data } = await call("spec", { action: "get" });
    expect(success).toBe(false);
    expect(data).toMatchObject({
      error_code: "MISSING_REQUIRED",
      error_type: "validation",
      remediation: expect.stringContaining("spec_id"),
      details: { field: "spec_id", constraint: "required", received: null },
    });
  });
});

describe("003", () => {
  it("mcp__plugin_foundry_foundry-mcp__… is this server, and its tools", async () => {
    expect(server.serverInfo?.name).toBe("foundry-mcp");
    const names = (await server.listTools()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["spec", "task", "server"]));
  });

  it('__task action="query" spec_id="my-feature" cursor="eyJvZmZzZXQiOjIwfQ=="', async () => {
    const { data, meta } = await call("task", {
      action: "query",
      spec_id: "my-feature",
      cursor: "eyJvZmZzZXQiOjIwfQ==",
    });
    const tasks = data["tasks"] as object[];
    expect(tasks[0]).toMatchObject({
      task_id: "task-1-21",
      description: "What task-1-21 is about",
      status: "pending",
    });
    expect(meta.pagination).toEqual({
      cursor: expect.any(String),
      has_more: true,
      total_count: 150,
      page_size: 25,
    });
  });

  it("Task query response: tasks, total_count, filtered_count", async () => {
    const query = { action: "query", spec_id: "example-spec" };
    const all = await call("task", query);
    expect(all.data).toMatchObject({ total_count: 10 });
    expect(all.data).not.toHaveProperty("filtered_count");
    const some = await call("task", { ...query, status: "completed" });
    expect(some.data).toMatchObject({ total_count: 10, filtered_count: 5 });
    const rows = some.data["tasks"] as { task_id: string }[];
    // §9: "task rows | task_id (003), id (001) | rows of a task list carry task_id".
    expect(rows.map(({ task_id }) => task_id)).toEqual([
      "task-1-1",
      "task-1-2",
      "task-1-3",
      "task-2-1",
      "task-2-2",
    ]);
  });

  it('__spec(action="get", spec_id="my-feature"): response["data"]["spec"]', async () => {
    const { success, data } = await call("spec", { action: "get", spec_id: "my-feature" });
    expect(success).toBe(true);
    expect(data["spec"]).toMatchObject({ id: "my-feature", status: "active" });
    expect(data).toHaveProperty("hierarchy");
  });

  it("Handling Pagination: the loop with cursor=None ends with every task, once", async () => {
    const all: string[] = [];
    let cursor: string | null = null;
    for (;;) {
      // A client sends `null` for the value None of Python.
      const { data, meta } = await call("task", { action: "query", spec_id: "my-feature", cursor });
      all.push(...(data["tasks"] as { task_id: string }[]).map(({ task_id }) => task_id));
      if (meta.pagination?.has_more !== true) break;
      cursor = meta.pagination.cursor ?? null;
    }
    expect(all).toHaveLength(150);
    expect(new Set(all).size).toBe(150);
  });

  it('__server action="capability-negotiate" client_capabilities={"response_contract": "v2"}', async () => {
    const client_capabilities = { response_contract: "v2" };
    const { success, data } = await call("server", { action: "capability-negotiate", client_capabilities });
    expect(success).toBe(true);
    expect(JSON.stringify(data)).toContain("v2");
  });

  it('Empty But Successful Results: {"tasks": [], "total_count": 0}', async () => {
    await workspace.write("pending/bare.json", specOf("bare", { phases: 0, tasks: 0 }));
    const { success, data } = await call("task", { action: "query", spec_id: "bare" });
    expect(success).toBe(true);
    expect(data).toMatchObject({ tasks: [], total_count: 0 });
  });

  it('Blocked or Incomplete State: "Waiting for API approval", as the reason of a blocker', async () => {
    const about = { spec_id: "other-01", task_id: "task-1-1" };
    await call("task", { action: "block", ...about, reason: "Waiting for API approval" });
    const { success, data, meta } = await call("task", { action: "check-deps", ...about });
    expect(success).toBe(true);
    expect(data).toMatchObject({
      task_id: "task-1-1",
      status: "blocked",
      blocker: { type: "dependency", reason: "Waiting for API approval" },
      can_start: false,
    });
    expect(meta.warnings).toEqual(["task-1-1 is blocked"]);
  });

  it("INVALID_STATE and DEPENDENCY_ERROR where the documents list them", async () => {
    const about = { spec_id: "my-feature", task_id: "task-1-2" };
    const early = await call("task", { action: "start", ...about });
    expect(early.data).toMatchObject({ error_code: "DEPENDENCY_ERROR", error_type: "conflict" });
    const done = { spec_id: "example-spec", task_id: "task-1-1" };
    const again = await call("task", { action: "start", ...done });
    expect(again.data).toMatchObject({ error_code: "INVALID_STATE", error_type: "conflict" });
  });
});

/** Returns an example envelope of the Python server, without the key that is not a part of the envelope. */
async function golden(name: string): Promise<Envelope> {
  const path = new URL(`../../packages/contract/fixtures/reference/${name}.json`, import.meta.url);
  const { fixture_version: _, ...envelope } = JSON.parse(await readFile(path, "utf8"));
  return envelope as Envelope;
}

describe("the golden answers", () => {
  it("success_task_progress: every key and value", async () => {
    const { data } = await golden("success_task_progress");
    const answer = await call("task", { action: "progress", spec_id: "example-spec" });
    expect(answer.data).toMatchObject(data);
  });

  it("success_validation: every key, the telemetry in meta (§9: written never in data)", async () => {
    const { data } = await golden("success_validation");
    const { telemetry, ...told } = data;
    const answer = await call("spec", { action: "validate", spec_id: "example-spec" });
    expect(answer.data).toMatchObject(told);
    expect(Object.keys(answer.meta.telemetry ?? {})).toEqual(Object.keys(telemetry as object));
  });

  it("success_specs_list: every row key; counts as §9 has them", async () => {
    const { data } = await golden("success_specs_list");
    const answer = await call("spec", { action: "list", status: "active", limit: 1 });
    expect(answer.data).toMatchObject({ specs: data["specs"], total_count: 61, filtered_count: 3 });
  });

  it("error_not_found: code and type", async () => {
    const { data } = await golden("error_not_found");
    const answer = await call("spec", { action: "get", spec_id: "nonexistent-spec" });
    const { error_code, error_type } = data;
    expect(answer.data).toMatchObject({ error_code, error_type });
  });

  it("error_validation_failure: of validate with strict, over MCP and with exit code 1", async () => {
    const broken = specOf("invalid-spec", { tasks: 2 });
    const { "task-1-1": first, "task-1-2": second } = broken.hierarchy as Record<
      string,
      Record<string, unknown>
    >;
    delete first?.["title"];
    if (second !== undefined) second["status"] = "unknown";
    await workspace.write("pending/invalid-spec.json", broken);
    const { data, error } = await golden("error_validation_failure");
    const { remediation: _, details, ...told } = data as Record<string, unknown>;
    const { diagnostics } = details as { diagnostics: Record<string, unknown>[] };
    // For a missing field of a node, the name in the Python server's list of codes differs from the name in its
    // golden file.
    const [missing, status] = diagnostics.map(({ code, path, ...same }, index) => ({
      ...same,
      code: code === "MISSING_REQUIRED_FIELD" ? "MISSING_NODE_FIELD" : code,
      path: String(path).replace(`task-${index + 1}`, `task-1-${index + 1}`),
      message: index === 0 ? same["message"] : expect.stringContaining("unknown"),
    }));
    const expected = {
      success: false,
      error,
      data: {
        ...told,
        remediation: expect.stringContaining("diagnostics"),
        details: {
          spec_id: "invalid-spec",
          error_count: 2,
          diagnostics: [missing, status],
        },
      },
    };
    expect(await call("spec", { action: "validate", spec_id: "invalid-spec", strict: true })).toMatchObject(
      expected,
    );
    const cli = await callCli(["validate", "check", "invalid-spec", "--strict"], { cwd: workspace.folder });
    expect(cli).toMatchObject(expected);
    const lenient = await call("spec", { action: "validate", spec_id: "invalid-spec" });
    expect(lenient).toMatchObject({ success: true, data: { is_valid: false } });
  });
});
