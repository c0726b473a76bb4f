import type { Connection } from "@foundry-mcp/toolkit/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStdioServer } from "./programs.ts";
import { createWorkspace, specOf, type TestWorkspace } from "./workspace.ts";

let workspace: TestWorkspace;
let reference: Connection;
let plain: Connection;
beforeAll(async () => {
  workspace = await createWorkspace("empty");
  const shape = { phases: 2, tasks: 3, blockedBy: { "task-1-2": ["task-1-1"] } };
  await workspace.write("active/s.json", specOf("s", shape));
  await workspace.write("active/other-2026-01-02-001.json", specOf("other-2026-01-02-001"));
  reference = await openStdioServer(workspace.folder, ["--tools", "reference"]);
  plain = await openStdioServer(workspace.folder, ["--tools", "all"]);
});
afterAll(async () => {
  await reference?.close();
  await plain?.close();
  await workspace?.remove();
});

type Row = Readonly<Record<string, unknown>>;
const rowsOf = (data: unknown) => (data as { readonly tasks: readonly Row[] }).tasks;

describe("limits of lists", () => {
  // Each maximum of the Python server is 1000, and it lowers what is above.
  const lists: readonly (readonly [string, string])[] = [
    ["spec", "list"],
    ["spec", "history"],
    ["task", "list"],
    ["task", "query"],
    ["task", "hierarchy"],
    ["task", "list-blocked"],
    ["journal", "list"],
    ["journal", "list-unjournaled"],
    ["authoring", "risk-list"],
  ];
  it.each(lists)("%s %s lowers a limit that is too high, and says so", async (tool, action) => {
    const limit = 5_000;
    const about = `${tool} ${action}` === "spec list" ? {} : { spec_id: "s" };
    const { success, meta } = await reference.callTool(tool, { action, limit, ...about });
    const [warning] = meta.warnings ?? [];
    expect([success, warning]).toEqual([
      true,
      expect.stringMatching(/^limit 5000 is above the maximum of (\d+): a page has at most \1 rows$/),
    ]);
    const refused = await plain.callTool(tool, { action, limit, ...about });
    expect(refused.data).toMatchObject({ error_code: "VALIDATION_ERROR", details: { field: "limit" } });
  });

  it("within the maximum, no warning is given", async () => {
    const { meta } = await reference.callTool("task", { action: "query", spec_id: "s", limit: 500 });
    expect(meta.warnings).toBeUndefined();
  });
});

describe("positions", () => {
  it.each([
    ["task", { action: "move", spec_id: "s", task_id: "task-1-1", position: 1, dry_run: true }],
    ["authoring", { action: "phase-move", spec_id: "s", phase_id: "phase-1", position: 1, dry_run: true }],
  ])("of %s count from 0, which a client of the Python server is told", async (tool, args) => {
    const { success, meta } = await reference.callTool(tool, args);
    expect([success, meta.warnings]).toEqual([
      true,
      [
        `position 1 counts from 0 here, so it is place 2; the Python server counts the positions of ${args.action} from 1`,
      ],
    ]);
    expect((await plain.callTool(tool, args)).meta.warnings).toBeUndefined();
  });
});

describe("removals without confirm", () => {
  const removal = { action: "remove", spec_id: "s", task_id: "task-2-1" };

  it("are taken, and the action in the warning undoes them", async () => {
    const before = await reference.callTool("task", { action: "query", spec_id: "s" });
    const { success, meta } = await reference.callTool("task", removal);
    const warning =
      "The call was taken without confirm, as on the Python server: the action undo of spec undoes the change";
    expect([success, meta.warnings]).toEqual([true, [warning]]);
    expect((await reference.callTool("spec", { action: "undo", spec_id: "s" })).success).toBe(true);
    const after = await reference.callTool("task", { action: "query", spec_id: "s" });
    expect(rowsOf(after.data)).toEqual(rowsOf(before.data));
  });

  it("need confirm without --tools reference, and where nothing can be undone", async () => {
    const research = { action: "deep-research-delete", research_id: "research-20260101-012345" };
    for (const answer of [
      await plain.callTool("task", removal),
      await plain.callTool("authoring", { ...removal, action: "task-remove" }),
      await reference.callTool("task", { ...removal, confirm: false }),
      await reference.callTool("research", research),
    ])
      expect([answer.success, answer.error]).toEqual([false, expect.stringMatching(/confirm/)]);
  });
});

describe("what is not done is said", () => {
  const tolerated: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
    [
      "spec",
      { action: "history", spec_id: "s", entry_type: "note" },
      /^The action history of spec has no filters/,
    ],
    ["spec", { action: "analyze-deps", spec_id: "s", limit: 3 }, /^All bottlenecks are listed/],
    [
      "task",
      { action: "hierarchy", spec_id: "s", include_metadata: true },
      /^Nodes are listed without metadata/,
    ],
    [
      "task",
      { action: "prepare-batch", spec_id: "s", ignore_conflicts: true },
      /^A batch never has two tasks/,
    ],
  ];

  it.each(tolerated)(
    "%s %j is answered with a warning, and refused without --tools reference",
    async (tool, args, text) => {
      const { success, meta } = await reference.callTool(tool, args);
      expect([success, meta.warnings?.[0]]).toEqual([true, expect.stringMatching(text)]);
      const { data } = await plain.callTool(tool, args);
      expect(data).toMatchObject({
        error_code: "VALIDATION_ERROR",
        remediation: expect.stringMatching(text),
      });
    },
  );

  it("hours are not recalculated", async () => {
    const { success, meta } = await plain.callTool("spec", {
      action: "recalculate-actual-hours",
      spec_id: "s",
    });
    expect([success, meta.warnings?.[0]]).toEqual([true, expect.stringMatching(/nothing is recalculated$/)]);
  });

  it("a category of tools selects nothing", async () => {
    const { meta } = await reference.callTool("server", { action: "tools", category: "x" });
    expect(meta.warnings).toEqual(["Tools have no categories and tags here: all tools are listed"]);
  });

  it("two specs cannot be compared", async () => {
    const target = "other-2026-01-02-001";
    const { data } = await reference.callTool("spec", { action: "diff", spec_id: "s", target });
    expect(data).toMatchObject({
      error_code: "VALIDATION_ERROR",
      remediation:
        "Two specs cannot be compared: give a revision of this spec, which the action history of spec lists.",
    });
  });
});

describe("the status of a task that waits", () => {
  it("is the same in every list, and one answer names both", async () => {
    const listed = await plain.callTool("task", { action: "query", spec_id: "s" });
    const blocked = await plain.callTool("task", { action: "list-blocked", spec_id: "s" });
    const statusOf = (rows: readonly Row[], id: string) =>
      rows.find((row) => row["task_id"] === id)?.["status"];
    for (const { task_id } of rowsOf(blocked.data))
      expect(statusOf(rowsOf(blocked.data), String(task_id))).toBe(
        statusOf(rowsOf(listed.data), String(task_id)),
      );
    expect(rowsOf(blocked.data)).toMatchObject([
      { task_id: "task-1-2", status: "pending", can_start: false },
    ]);
    const { data } = await plain.callTool("task", {
      action: "check-deps",
      spec_id: "s",
      task_id: "task-1-2",
    });
    // The documents print `status: "blocked"` here.
    expect(data).toMatchObject({ status: "blocked", stored_status: "pending", can_start: false });
  });
});
