import type { Envelope } from "@foundry-mcp/contract";
import type { Registry } from "@foundry-mcp/toolkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openServer } from "#built/foundry/app/open-server.js";
import { createWorkspace, type TestWorkspace } from "./workspace.ts";

// The numbers of one list must agree, whatever the size of its pages: the rows on all pages, total_count in the data,
// filtered_count, and the count and page size in the pagination.

const spec_id = "foundry-mcp-2025-01-25-001";
let workspace: TestWorkspace;
let registry: Registry;
let close: () => Promise<void>;
beforeAll(async () => {
  workspace = await createWorkspace("real");
  ({ registry, close } = await openServer({ cwd: workspace.folder, settings: { tools: "all" } }));
});
afterAll(async () => {
  await close();
  await workspace.remove();
});

type Args = Readonly<Record<string, unknown>>;

/** Reads all pages of a list. Each page must describe itself. */
async function readPages(tool: string, key: string, args: Args) {
  const rows: unknown[] = [];
  const counts = new Set<string>();
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const envelope: Envelope = await registry.call(tool, { ...args, ...(cursor && { cursor }) });
    const { data, meta } = envelope;
    expect([envelope.success, envelope.error]).toEqual([true, null]);
    const page = data[key] as readonly unknown[];
    const pagination = meta.pagination ?? expect.fail("The page has no pagination");
    expect([pagination.page_size, pagination.has_more]).toEqual([page.length, pagination.cursor !== null]);
    rows.push(...page);
    counts.add(JSON.stringify([data["total_count"], data["filtered_count"] ?? null, pagination.total_count]));
    cursor = pagination.cursor;
  }
  return { rows, counts: [...counts].map((text) => JSON.parse(text) as unknown) };
}

describe.each<[tool: string, key: string, args: Args, total: number, rows?: number]>([
  ["spec", "specs", { action: "list" }, 7],
  ["spec", "specs", { action: "list", status: "completed" }, 7, 5],
  ["spec", "specs", { action: "list", status: "active" }, 7, 0],
  ["task", "tasks", { action: "query", spec_id }, 61],
  ["task", "tasks", { action: "query", spec_id, status: "pending" }, 61, 3],
  ["task", "tasks", { action: "query", spec_id, parent: "phase-1" }, 61, 11],
  ["task", "nodes", { action: "hierarchy", spec_id }, 80, 19],
  ["task", "nodes", { action: "hierarchy", spec_id, max_depth: 9 }, 80],
  ["task", "nodes", { action: "hierarchy", spec_id, max_depth: 9, parent: "phase-1" }, 80, 14],
  ["journal", "entries", { action: "list", spec_id }, 72],
  ["journal", "entries", { action: "list", spec_id, task_id: "task-1-1" }, 72, 1],
  ["journal", "unjournaled_tasks", { action: "unjournaled", spec_id }, 0],
  ["spec", "entries", { action: "history", spec_id }, 1],
])("%s %s %j", (tool, key, args, total, matching) => {
  it.each([1_000, 7, 1])("agrees about its rows, in pages of %i", async (limit) => {
    const { rows, counts } = await readPages(tool, key, { ...args, limit: Math.min(limit, 500) });
    const wanted = matching ?? total;
    expect([rows.length, new Set(rows.map((row) => JSON.stringify(row))).size]).toEqual([wanted, wanted]);
    expect(counts).toEqual([[total, matching ?? null, wanted]]);
  });
});
