import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Connection } from "@foundry-mcp/toolkit/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openFileStore } from "#built/foundry/specs/stores/file-store/file-store.js";
import { callCli, openStdioServer, runProgram } from "./programs.ts";
import { createWorkspace, specOf, type TestWorkspace } from "./workspace.ts";

const originals = fileURLToPath(new URL("../fixtures/specs", import.meta.url));

/** The real specs, with the file and the progress of each spec. */
const real = [
  ["archived/validate-fix-auto-cleanup-2025-12-15-001", 0, 4, 0, 10],
  ["completed/actual-hours-auto-calculation-2026-01-06-001", 8, 8, 100, 2],
  ["completed/foundry-mcp-2025-01-25-001", 55, 58, 94, 14],
  ["completed/notes-intake-2025-12-28-001", 23, 23, 100, 2],
  ["completed/response-schema-standardization-2025-11-26-001", 37, 37, 100, 11],
  ["completed/sdd-core-operations-2025-11-27-001", 89, 89, 100, 14],
  ["pending/mcp-server-resilience-2026-01-24-001", 41, 41, 100, 2],
] as const;
const idOf = (path: string) => path.slice(path.indexOf("/") + 1);
const fileOf = (path: string) => `${path}.json`;

let workspace: TestWorkspace;
let server: Connection;
beforeAll(async () => {
  workspace = await createWorkspace("real");
  server = await openStdioServer(workspace.folder, undefined, { FOUNDRY_VERIFY_PROGRAMS: "node" });
});
afterAll(async () => {
  await server.close();
  await workspace.remove();
});

const call = async (tool: string, args: object) => {
  const envelope = await server.callTool(tool, args);
  if (!envelope.success) throw new Error(`${tool} ${JSON.stringify(args)}: ${JSON.stringify(envelope)}`);
  return envelope.data;
};
const read = (path: string) => readFile(join(workspace.specs, fileOf(path)));
const original = (path: string) => readFile(join(originals, fileOf(path)));

describe("the real specs", () => {
  it("are listed with the counts that their files hold", async () => {
    const { specs, total_count } = (await call("spec", { action: "list" })) as {
      specs: { id: string; status: string; progress: object }[];
      total_count: number;
    };
    expect(total_count).toBe(7);
    const rows = specs.map(({ id, status, progress }) => [`${status}/${id}`, progress]);
    const expected = real.map(([path, completed, total, percentage]) => [
      path,
      { completed, total, percentage },
    ]);
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(expected));
    for (const [path, completed, total] of real) {
      const { hierarchy } = JSON.parse((await read(path)).toString());
      const { completed_tasks, total_tasks } = hierarchy["spec-root"];
      expect([completed_tasks, total_tasks], path).toEqual([completed, total]);
    }
  });

  it.each(real)(
    "%s is valid, with warnings of what it lacks",
    async (path, _completed, _total, _share, count) => {
      const { is_valid, error_count, warning_count, diagnostics } = await call("spec", {
        action: "validate",
        spec_id: idOf(path),
      });
      expect({ is_valid, error_count, warning_count }).toEqual({
        is_valid: true,
        error_count: 0,
        warning_count: count,
      });
      for (const diagnostic of diagnostics as object[])
        expect(diagnostic).toMatchObject({ severity: "warning", path: expect.stringMatching(/^\$/) });
    },
  );

  it.each(real)("%s is the same, byte for byte, after a save that changes nothing", async (path) => {
    const store = openFileStore({ root: workspace.specs });
    const id = idOf(path);
    expect(Buffer.from(await store.readText(id)).equals(await original(path))).toBe(true);
    const before = (await store.read(id)).model.document;
    // An edit sets the current value. The file is saved, and its content is the same as before.
    const again = await store.change(id, ({ document }) => ({
      edits: [{ op: "set", path: ["last_updated"], value: String(document["last_updated"]) }],
      result: {},
    }));
    expect(again.isChanged).toBe(true);
    expect((await read(path)).equals(await original(path))).toBe(true);
    // Dry runs and changes without an effect do not write the file.
    await call("spec", { action: "fix", spec_id: id, dry_run: true });
    await call("journal", { action: "add", spec_id: id, title: "Not", content: "said", dry_run: true });
    expect((await read(path)).equals(await original(path))).toBe(true);
    expect((await store.read(id)).model.document).toEqual(before);
    await store.close();
  });

  it.each(real)("%s is changed and written back", async (path) => {
    const spec_id = idOf(path);
    const before = JSON.parse((await original(path)).toString());
    const nodes = Object.entries(before.hierarchy) as [string, { children: string[]; status: string }][];
    const [task_id = "", { status } = { status: "" }] =
      nodes.find(([, { children }]) => children.length === 0) ?? [];
    if (status === "completed") await call("task", { action: "reopen", spec_id, task_id, reason: "A look" });
    await call("task", { action: "start", spec_id, task_id });
    await call("task", { action: "complete", spec_id, task_id, note: "Looked" });
    const after = JSON.parse((await read(path)).toString());
    expect(after.hierarchy[task_id].status).toBe("completed");
    expect(after.journal.length).toBeGreaterThan(before.journal.length);
    expect(after.journal.slice(0, before.journal.length)).toEqual(before.journal);
    const { completed_tasks } = after.hierarchy["spec-root"];
    const was = before.hierarchy["spec-root"].completed_tasks;
    expect(completed_tasks).toBe(status === "completed" ? was : was + 1);
    // The keys have their original order, and none is missing.
    expect(Object.keys(after)).toEqual(Object.keys(before));
    expect(Object.keys(after.hierarchy)).toEqual(Object.keys(before.hierarchy));
    const { is_valid } = await call("spec", { action: "validate", spec_id });
    expect(is_valid).toBe(true);
  });
});

/** Returns the result of `diff`, in which T represents the time of the change. */
async function diffOfCompletion(path: string, task: string, ...options: string[]): Promise<string> {
  const { folder, specs, remove } = await createWorkspace("real");
  const { success } = await callCli(["tasks", "complete", idOf(path), task, ...options], {
    cwd: folder,
    env: { FOUNDRY_AUTHOR: "Ada" },
  });
  expect(success).toBe(true);
  const files = [join(originals, fileOf(path)), join(specs, fileOf(path))];
  const { stdout } = await runProgram(["diff", ...files], { cwd: folder });
  await remove();
  const moment = /^> {3}"last_updated": "(.*)",$/m.exec(stdout)?.[1] ?? "none";
  return stdout.replaceAll(moment, "T");
}

describe("completing a task changes the lines that it must, and no other", () => {
  it("in a spec with its progress at the top", async () => {
    const [[path]] = real;
    expect(await diffOfCompletion(path, "task-1-1", "--note", "Done")).toBe(`5c5
<   "last_updated": "2025-12-31T00:09:08.267523Z",
---
>   "last_updated": "T",
19,20c19,20
<   "progress_percentage": 0,
<   "status": "pending",
---
>   "progress_percentage": 25,
>   "status": "in_progress",
26c26
<       "status": "completed",
---
>       "status": "in_progress",
32c32
<       "completed_tasks": 0,
---
>       "completed_tasks": 1,
46c46
<       "status": "pending",
---
>       "status": "in_progress",
55c55
<       "completed_tasks": 0,
---
>       "completed_tasks": 1,
90c90
<       "status": "pending",
---
>       "status": "completed",
94c94
<       "completed_tasks": 0,
---
>       "completed_tasks": 1,
97c97,100
<         "file_path": "task-1-1.py"
---
>         "file_path": "task-1-1.py",
>         "completed_at": "T",
>         "needs_journaling": false,
>         "journaled_at": "T"
142c145,155
<   "journal": []
---
>   "journal": [
>     {
>       "timestamp": "T",
>       "entry_type": "status_change",
>       "title": "Task Completed: Add backup cleanup to validate-fix action",
>       "content": "Done",
>       "author": "Ada",
>       "metadata": {},
>       "task_id": "task-1-1"
>     }
>   ]
`);
  });

  it("in a spec of 3,000 lines with escapes", async () => {
    const path = "completed/foundry-mcp-2025-01-25-001";
    expect(await diffOfCompletion(path, "verify-6-3")).toBe(`5c5
<   "last_updated": "2025-11-26T13:09:55.105526Z",
---
>   "last_updated": "T",
63c63
<       "completed_tasks": 55,
---
>       "completed_tasks": 56,
1794c1794
<       "completed_tasks": 11,
---
>       "completed_tasks": 12,
2165c2165
<       "completed_tasks": 2,
---
>       "completed_tasks": 3,
2225c2225
<       "status": "pending",
---
>       "status": "completed",
2229c2229
<       "completed_tasks": 0,
---
>       "completed_tasks": 1,
2240c2240,2243
<         "status_note": "Starting PyPI package verification"
---
>         "status_note": "Starting PyPI package verification",
>         "completed_at": "T",
>         "needs_journaling": false,
>         "journaled_at": "T"
2946a2950,2958
>     },
>     {
>       "timestamp": "T",
>       "entry_type": "status_change",
>       "title": "Task Completed: Package installs from PyPI",
>       "content": "Completed \\"Package installs from PyPI\\".",
>       "author": "Ada",
>       "metadata": {},
>       "task_id": "verify-6-3"
`);
  });
});

describe("a file that an editor changes between calls", () => {
  it("is read again, and an old revision of it is refused", async () => {
    const path = "pending/mcp-server-resilience-2026-01-24-001";
    const spec_id = idOf(path);
    const { revision } = await call("task", { action: "progress", spec_id });
    const text = (await read(path)).toString();
    await writeFile(
      join(workspace.specs, fileOf(path)),
      text.replace('"title": "mcp-server-resilience"', '"title": "By hand"'),
    );
    expect(await call("lifecycle", { action: "state", spec_id })).toMatchObject({ title: "By hand" });
    const late = await server.callTool("journal", {
      action: "add",
      spec_id,
      title: "Late",
      content: "Too late",
      if_revision: revision,
    });
    expect(late.data).toMatchObject({ error_code: "VERSION_CONFLICT", error_type: "conflict" });
  });
});

describe("every action of every tool", () => {
  it("answers with success over MCP", async () => {
    const spec_id = "every";
    await workspace.write("pending/every.json", specOf(spec_id, { phases: 2, tasks: 4 }));
    const one = { spec_id, task_id: "task-1-1" };
    const two = { spec_id, task_id: "task-1-2" };
    const four = { spec_id, task_id: "task-2-4" };
    const work = {
      title: "Write it",
      description: "As it should be",
      task_category: "investigation",
      acceptance_criteria: ["It is written"],
    };
    const calls: readonly (readonly [tool: string, action: string, args?: object])[] = [
      ["spec", "list"],
      ["spec", "get", { spec_id }],
      ["spec", "find", { spec_id }],
      ["spec", "validate", { spec_id }],
      ["spec", "fix", { spec_id }],
      ["spec", "stats", { spec_id }],
      ["spec", "analyze-deps", { spec_id }],
      ["spec", "schema"],
      ["spec", "search", { query: "resilience" }],
      ["lifecycle", "activate", { spec_id }],
      ["lifecycle", "state", { spec_id }],
      ["task", "next", { spec_id }],
      ["task", "prepare", { spec_id }],
      ["task", "prepare-batch", { spec_id, lease_minutes: 0.0001 }],
      ["review", "prepare", { spec_id }],
      ["review", "add", { spec_id, verdict: "commented", summary: "Looked at it" }],
      ["review", "list", { spec_id }],
      ["task", "info", one],
      ["task", "query", { spec_id }],
      ["task", "list", { spec_id }],
      ["task", "hierarchy", { spec_id }],
      ["task", "progress", { spec_id }],
      ["task", "check-deps", one],
      ["task", "start", one],
      ["task", "block", { ...one, reason: "A wall" }],
      ["task", "list-blocked", { spec_id }],
      ["task", "unblock", { ...one, status: "in_progress" }],
      ["task", "complete", one],
      ["task", "reopen", { ...one, reason: "Not quite" }],
      ["task", "update-status", { ...one, status: "completed" }],
      ["task", "add", { spec_id, parent: "phase-1", ...work }],
      ["task", "update", { spec_id, task_id: "task-1-5", title: "Write it well" }],
      ["task", "update-metadata", { spec_id, task_id: "task-1-5", description: "Very well" }],
      ["task", "add-dependency", { spec_id, task_id: "task-1-5", target_id: "task-1-2" }],
      ["task", "remove-dependency", { spec_id, task_id: "task-1-5", target_id: "task-1-2" }],
      ["task", "move", { spec_id, task_id: "task-1-5", position: 0 }],
      ["task", "remove", { spec_id, task_id: "task-1-5", confirm: true }],
      ["task", "batch", { spec_id, operations: [{ op: "start", task_id: two.task_id }] }],
      ["journal", "add", { spec_id, title: "Said", content: "Much" }],
      ["journal", "list", { spec_id }],
      ["journal", "unjournaled", { spec_id }],
      ["authoring", "spec-create", { name: "A new thing" }],
      ["authoring", "phase-add", { spec_id, title: "Afterwards" }],
      ["authoring", "phase-add-bulk", { spec_id, phase: { title: "At last" }, tasks: [work] }],
      ["authoring", "spec-update", { spec_id, owner: "ada" }],
      ["authoring", "phase-update", { spec_id, phase_id: "phase-3", purpose: "To be gone" }],
      ["authoring", "phase-move", { spec_id, phase_id: "phase-3", position: 0 }],
      ["authoring", "phase-remove", { spec_id, phase_id: "phase-3", confirm: true }],
      ["authoring", "note-add", { spec_id, kind: "risk", text: "It may rain" }],
      ["authoring", "note-list", { spec_id }],
      ["authoring", "find-replace", { spec_id, find: "rain", replace: "snow" }],
      ["authoring", "apply", { spec_id, operations: [{ op: "start", task_id: "task-1-3" }] }],
      ["task", "add", { spec_id, parent: "phase-2", title: "It works", type: "verify" }],
      ["verification", "add", { spec_id, verify_id: "verify-2-1", result: "FAILED" }],
      ["verification", "execute", { spec_id, verify_id: "verify-2-1", argv: ["node", "--version"] }],
      ["spec", "history", { spec_id }],
      ["spec", "diff", { spec_id }],
      ["spec", "export", { spec_id }],
      ["spec", "import", { markdown: "# By hand\n\n## First\n\n- [ ] Do it\n" }],
      ["task", "wait", { spec_id }],
      ["lifecycle", "complete", { spec_id, force: true, reason: "Enough" }],
      ["lifecycle", "archive", { spec_id }],
      ["lifecycle", "move", { spec_id, to_folder: "pending" }],
      ["server", "tools"],
      ["server", "schema", { tool: "task" }],
      ["server", "capabilities"],
      ["server", "capability-negotiate", { client_capabilities: { response_contract: "v2" } }],
      ["server", "context"],
      ["server", "flags"],
      ["server", "health"],
      ["server", "jobs"],
      ["content", "list"],
    ];
    for (const [tool, action, args = {}] of calls) await call(tool, { action, ...args });
    // An answer that exceeds its budget archives content, which `content` returns.
    const { meta } = await server.callTool("spec", {
      action: "get",
      spec_id: "sdd-core-operations-2025-11-27-001",
    });
    const [archive_id] = Object.keys(meta.content_archive_hashes ?? {});
    await call("content", { action: "stat", archive_id });
    await call("content", { action: "get", archive_id });

    // Calls need the tokens of leases and the names of revisions.
    const { claim_token, revision: to_revision } = await call("task", { action: "claim", ...four });
    await call("task", { action: "heartbeat", ...four, claim_token });
    await call("task", { action: "claims", spec_id: four.spec_id });
    await call("task", { action: "release", ...four, claim_token });
    await call("journal", { action: "add", spec_id, title: "Said", content: "Too much" });
    await call("spec", { action: "rollback", spec_id, to_revision, confirm: true });
    await call("spec", { action: "undo", spec_id });
    await call("spec", { action: "delete", spec_id, confirm: true });
    await call("spec", { action: "restore", spec_id });

    const called = new Set([
      ...calls.map(([tool, action]) => `${tool} ${action}`),
      ...["claim", "heartbeat", "release", "claims"].map((action) => `task ${action}`),
      ...["rollback", "undo", "delete", "restore"].map((action) => `spec ${action}`),
      "content stat",
      "content get",
    ]);
    const offered = (await server.listTools()).flatMap(({ name, inputSchema }) => {
      const { action } = inputSchema.properties as Record<string, { enum?: readonly string[] }>;
      return (action?.enum ?? []).map((each) => `${name} ${each}`);
    });
    expect(offered.length).toBeGreaterThan(40);
    // `research` does not use specs. test/specs/checked.prove.test.ts calls all of its actions.
    const others = offered.filter((each) => !called.has(each) && !each.startsWith("research "));
    expect(others).toEqual([]);
  });
});
