import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Connection } from "@foundry-mcp/toolkit/client";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { callCli, openStdioServer } from "./programs.ts";
import { createWorkspace, specOf, type TestWorkspace } from "./workspace.ts";

// Ids are never reused, so every test has a separate spec.
let count = 0;
let id: string;
let workspace: TestWorkspace;
let server: Connection;
let file: string;
beforeAll(async () => {
  workspace = await createWorkspace();
  server = await openStdioServer(workspace.folder);
});
afterAll(async () => {
  await server.close();
  await workspace.remove();
});
beforeEach(async () => {
  count += 1;
  id = `a-spec-2026-01-02-00${count}`;
  const spec = specOf(id, { phases: 2, tasks: 3, completed: ["task-1-1", "task-1-2"] });
  file = await workspace.write(`active/${id}.json`, spec);
});

type Nodes = Record<string, { title: string; children: string[]; metadata: Record<string, unknown> }>;
const cli = (...argv: string[]) => callCli(argv, { cwd: workspace.folder });
const call = (action: string, args: object, tool = "authoring") =>
  server.callTool(tool, { action, spec_id: id, ...args });
const kept = () => readFile(file, "utf8");
const read = async () =>
  JSON.parse(await kept()) as { metadata: Record<string, unknown>; title: string; hierarchy: Nodes };
const faults = async () => {
  const { data } = await call("validate", {}, "spec");
  return (data["diagnostics"] as { severity: string }[]).filter(({ severity }) => severity === "error");
};

describe("aliases of commands", () => {
  it("add notes, fields, phases and tasks", async () => {
    const phase = await cli("modify", "phase", "add", id, "--title", "Third");
    const task = await cli("modify", "task", "add", id, "--parent", "phase-1", "--title", "Fourth");
    const told = [
      await cli("modify", "assumption", id, "--text", "It is so", "--author", "Ann"),
      await cli("modify", "revision", id, "--version", "1.1", "--changes", "More", "--author", "Ann"),
      await cli("modify", "frontmatter", id, "--key", "owner", "--value", "Ann"),
      await cli("modify", "task", "remove", id, String(task.data["task_id"]), "--confirm"),
    ];
    expect([phase, task, ...told].map(({ success }) => success)).toEqual(Array(6).fill(true));
    expect(phase.data).toMatchObject({ title: "Third", linked_previous: "phase-2" });
    expect(told[0]?.meta.warnings).toEqual(["author is ignored: a note of kind assumption has none"]);
    expect(told[2]?.data).toMatchObject({ fields_updated: ["owner"], previous_values: { owner: null } });
    const { metadata, hierarchy } = await read();
    expect(metadata).toMatchObject({
      owner: "Ann",
      assumptions: ["It is so"],
      revision_history: [{ version: "1.1", changelog: "More", author: "Ann" }],
    });
    expect(hierarchy["phase-1"]?.children).toEqual(["task-1-1", "task-1-2", "task-1-3"]);
    expect(await faults()).toEqual([]);
  });
});

describe("phases", () => {
  it("are updated, moved and removed", async () => {
    const phase_id = "phase-2";
    const updated = await call("phase-update", { phase_id, title: "Last", purpose: "P" });
    expect(updated.data).toMatchObject({ phase_id: "phase-2", previous_values: { title: "Phase 2" } });
    const moved = await cli("modify", "move-phase", id, "phase-2", "--position", "0", "--link-previous");
    expect(moved.data).toMatchObject({ old_position: 1, new_position: 0, linked_previous: null });
    const unsure = await call("phase-remove", { phase_id });
    expect(unsure.data).toMatchObject({ error_code: "MISSING_REQUIRED", details: { field: "confirm" } });
    const refused = await call("phase-remove", { phase_id, confirm: true });
    expect(refused.data).toMatchObject({ error_code: "INVALID_STATE", details: { open_count: 3 } });
    const removed = await cli("modify", "remove-phase", id, "phase-2", "--confirm", "--force");
    expect(removed.data).toMatchObject({ total_tasks_removed: 3, progress: { completed: 2, total: 3 } });
    expect(Object.keys((await read()).hierarchy)).toEqual([
      ...["spec-root", "phase-1", "task-1-1", "task-1-2", "task-1-3"],
    ]);
    expect(await faults()).toEqual([]);
  });
});

describe("notes", () => {
  it("are kept once, and listed page by page", async () => {
    for (const kind of ["constraint", "risk", "question", "success-criterion"]) {
      const { success } = await call("note-add", { kind, text: "Said" });
      expect(success).toBe(true);
    }
    expect((await call("note-add", { kind: "risk", text: "Said" })).data).toMatchObject({
      error_code: "DUPLICATE_ENTRY",
      details: { spec_id: id, kind: "risk", index: 0 },
    });
    const texts: unknown[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { data, meta } = await call("note-list", { limit: 2, cursor });
      texts.push(
        ...(data["notes"] as { kind: string; text: string }[]).map((note) => `${note.kind} ${note.text}`),
      );
      cursor = meta.pagination?.cursor ?? null;
    }
    expect(texts).toEqual([
      "constraint Nothing real",
      "constraint Said",
      "risk Said",
      "question Said",
      "success-criterion The validator finds nothing",
      "success-criterion Said",
    ]);
    const { data } = await cli("specs", "notes", id, "--kind", "risk");
    expect(data).toMatchObject({ total_count: 6, filtered_count: 1, notes: [{ text: "Said" }] });
  });
});

describe("find-replace", () => {
  it("changes titles and descriptions, by a pattern too", async () => {
    const before = await kept();
    const dry = await cli(
      "modify",
      "find-replace",
      id,
      "task-(\\d)-(\\d)",
      "@$2/$1",
      "--use-regex",
      "--dry-run",
    );
    expect(dry.data).toMatchObject({ total_replacements: 12, nodes_affected: 6 });
    expect(await kept()).toBe(before);
    const { data } = await call("find-replace", {
      find: "DO TASK-",
      replace: "",
      case_sensitive: false,
      scope: "titles",
    });
    expect(data).toMatchObject({ total_replacements: 6, nodes_affected: 6 });
    expect((await read()).hierarchy["task-1-2"]).toMatchObject({
      title: "1-2",
      metadata: { description: "What task-1-2 is about" },
    });
  });

  it("stops what would run for ever, names it, and changes nothing", async () => {
    await call("update", { task_id: "task-1-3", description: `${"a".repeat(100)}!` }, "task");
    const before = await kept();
    const stopped = await call("find-replace", { find: "(a+)+$", replace: "b", use_regex: true });
    expect(stopped).toMatchObject({
      success: false,
      error: expect.stringContaining('"(a+)+$" in the description of task-1-3'),
      data: { error_code: "INVALID_FORMAT", details: { pattern: "(a+)+$", node_id: "task-1-3" } },
    });
    expect(await kept()).toBe(before);
    const after = await call("find-replace", { find: "a+!", replace: "b", use_regex: true });
    expect(after.data).toMatchObject({ total_replacements: 1 });
  });
});

describe("modify apply", () => {
  const operations = [
    { op: "phase-add", ref: "p", title: "Third" },
    {
      op: "add",
      ref: "t",
      parent: "$p",
      title: 'New "é"',
      description: "D",
      task_category: "decision",
      acceptance_criteria: ["It is"],
      depends_on: ["task-1-3"],
    },
    { op: "complete", task_id: "task-1-3", note: "Done" },
    { op: "phase-remove", phase_id: "phase-2", confirm: true, force: true },
    { op: "complete", task_id: "$t" },
    { op: "find-replace", find: "Phase", replace: "Part", scope: "titles" },
    { op: "note-add", kind: "question", text: "Why?" },
    { op: "spec-update", title: "Applied" },
  ];

  it("applies a file as one change", async () => {
    const list = join(workspace.folder, "list.json");
    await writeFile(list, JSON.stringify({ operations }));
    const before = await kept();
    const dry = await cli("modify", "apply", id, list, "--dry-run");
    expect(dry.data).toMatchObject({ applied: 8, refs: { p: "phase-3", t: "task-3-1" } });
    expect(await kept()).toBe(before);
    const { data } = await cli("modify", "apply", id, list);
    expect(data["applied"]).toBe(8);
    const { p = "", t = "" } = data["refs"] as Record<string, string>;
    const { title, hierarchy, metadata } = await read();
    expect(title).toBe("Applied");
    expect(metadata["open_questions"]).toEqual(["Why?"]);
    expect(hierarchy["spec-root"]?.children).toEqual(["phase-1", p]);
    expect(hierarchy["phase-1"]?.title).toBe("Part 1");
    expect(hierarchy[p]?.children).toEqual([t]);
    expect(hierarchy[t]).toMatchObject({ title: 'New "é"', status: "completed" });
    expect((await call("progress", {}, "task")).data).toMatchObject({ percentage: 100 });
    expect(await faults()).toEqual([]);
  });

  it("changes nothing where one of them fails, and says which", async () => {
    const before = await kept();
    const wrong = [...operations, { op: "start", task_id: "task-9-9" }];
    const input = JSON.stringify(wrong);
    const failed = await callCli(["modify", "apply", id, "-"], { cwd: workspace.folder, input });
    expect(failed).toMatchObject({
      success: false,
      error: "Cannot apply operations[8] (start), and nothing was changed: Task not found: task-9-9",
      data: { error_code: "TASK_NOT_FOUND", details: { operation: { index: 8, op: "start" } } },
    });
    const misread = await call("apply", { operations: [...operations, { op: "add", parent: "phase-1" }] });
    expect(misread.data).toMatchObject({
      details: { field: "operations[8].title", operation: { op: "add" } },
    });
    const evil = [...operations, { op: "find-replace", find: "((((", replace: "", use_regex: true }];
    expect((await call("apply", { operations: evil })).data).toMatchObject({
      error_code: "INVALID_FORMAT",
      details: { field: "operations[8].find", pattern: "((((" },
    });
    expect(await kept()).toBe(before);
  });
});

describe("journal unjournaled", () => {
  it("lists completed tasks of which nothing is told, in the order of work", async () => {
    const first = await cli("journal", "unjournaled", id, "--limit", "1");
    expect(first.data).toMatchObject({ unjournaled_tasks: [{ task_id: "task-1-1" }], total_count: 2 });
    const next = await cli("journal", "unjournaled", id, "--cursor", String(first.meta.pagination?.cursor));
    expect(next.data).toMatchObject({ unjournaled_tasks: [{ task_id: "task-1-2", completed_at: null }] });
    await call("add", { title: "T", content: "C", task_id: "task-1-1" }, "journal");
    await call("complete", { task_id: "task-1-3" }, "task");
    await call("update", { task_id: "task-1-3", metadata: { needs_journaling: true } }, "task");
    const { data } = await call("list-unjournaled", {}, "journal");
    expect(data["unjournaled_tasks"]).toEqual([
      expect.objectContaining({ task_id: "task-1-2", needs_journaling: false }),
      expect.objectContaining({ task_id: "task-1-3", needs_journaling: true }),
    ]);
  });
});
