import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRegistry } from "@foundry-mcp/toolkit";
import { afterEach, expect, it } from "vitest";
import { openFileStore } from "../stores/file-store/file-store.ts";
import { sampleDocument } from "../stores/testing/sample-document.ts";
import { createSpecTool } from "./spec/spec-tool.ts";
import { createTaskTool } from "./task/task-tool.ts";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/**
 * Creates tools for two specs. A checkout has overwritten an acknowledged change of the spec "one"; the other
 * spec is "two".
 */
async function openOverwritten() {
  const root = await mkdtemp(join(tmpdir(), "overwritten-"));
  folders.push(root);
  const store = openFileStore({ root });
  const workspace = { store: async () => store };
  const tools = [createSpecTool(workspace), createTaskTool(workspace)];
  const registry = createRegistry({ name: "t", version: "1.0.0", tools });
  for (const id of ["one", "two"]) await store.create(id, sampleDocument(id), "active");
  const file = join(root, "active", "one.json");
  const before = await readFile(file);
  const { data } = await registry.call("task", { action: "start", spec_id: "one", task_id: "task-1-1" });
  await writeFile(file, before);
  return { registry, file, revision: data["revision"] as string };
}

it.each([
  ["spec", { action: "get", spec_id: "one" }],
  ["spec", { action: "list" }],
  ["spec", { action: "history", spec_id: "one" }],
  ["task", { action: "wait", spec_id: "one", timeout_seconds: 0 }],
  ["task", { action: "wait", spec_id: "one", for: "change", timeout_seconds: 0 }],
])("warns once of the revision that a checkout has overwritten: %s %j", async (tool, args) => {
  const { registry, revision } = await openOverwritten();
  // The second response comes from caches.
  for (const _ of [1, 2]) {
    const { success, meta } = await registry.call(tool, args);
    expect([success, meta["warning_details"]]).toEqual([
      true,
      [
        {
          code: "REVISION_OVERWRITTEN",
          severity: "warning",
          message: `Another program overwrote revision ${revision} of spec "one". To restore it: spec(action="rollback", spec_id="one", to_revision="${revision}", confirm=true)`,
          context: {
            spec_id: "one",
            revision,
            replaced_by: "outside",
            remedy: {
              tool: "spec",
              action: "rollback",
              arguments: { spec_id: "one", to_revision: revision, confirm: true },
            },
          },
        },
      ],
    ]);
  }
  await registry.call("task", { action: "start", spec_id: "one", task_id: "task-1-1" });
  expect((await registry.call(tool, args)).meta["warning_details"]).toBeUndefined();
});

it("tells the history of a file that is no spec any more", async () => {
  const { registry, file } = await openOverwritten();
  await writeFile(file, "no spec");
  const { success, data } = await registry.call("spec", { action: "history", spec_id: "one" });
  expect([success, data["total_count"]]).toEqual([true, 3]);
});
