import { afterAll, beforeAll, expect, it } from "vitest";
import { callCli } from "./programs.ts";
import { createWorkspace, specOf, type TestWorkspace } from "./workspace.ts";

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await createWorkspace();
});
afterAll(() => workspace.remove());

it("specs list-phases lists phases, and no task that is in none", async () => {
  const document = specOf("loose", { phases: 2, tasks: 2, completed: ["task-1-1"] });
  const {
    "spec-root": root,
    "task-2-2": task,
    "phase-2": phase,
    ...others
  } = document.hierarchy as Readonly<Record<string, object>>;
  const hierarchy = {
    ...others,
    "spec-root": { ...root, children: ["phase-1", "task-2-2", "phase-2"] },
    "phase-2": { ...phase, children: ["task-2-1"], total_tasks: 1 },
    "task-2-2": { ...task, parent: "spec-root" },
  };
  await workspace.write("active/loose.json", { ...document, hierarchy });
  const { data } = await callCli(["specs", "list-phases", "loose"], { cwd: workspace.folder });
  expect(data["phases"]).toEqual([
    { id: "phase-1", title: "Phase 1", completed: 1, total: 2, status: "in_progress" },
    { id: "phase-2", title: "Phase 2", completed: 0, total: 1, status: "pending" },
  ]);
  expect(data["nodes"]).toBeUndefined();
});
