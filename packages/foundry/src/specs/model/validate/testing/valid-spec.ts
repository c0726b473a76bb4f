import type { JsonValue } from "@foundry-mcp/contract";
import { applyEdits, type Edit, type EditPath } from "../../../../files/json-text/edit.ts";
import type { SpecDocument } from "../../spec-document.ts";

const links = { blocked_by: [], blocks: [], depends: [] };

function task(blocks: readonly string[], blockedBy: readonly string[]) {
  return {
    ...{ type: "task", title: "Do it", status: "pending", parent: "phase-1", children: [] },
    ...{ total_tasks: 1, completed_tasks: 0 },
    metadata: {
      task_category: "implementation",
      description: "What to do",
      acceptance_criteria: ["It works"],
      file_path: "src/a.ts",
      complexity: "low",
    },
    dependencies: { ...links, blocked_by: blockedBy, blocks },
  };
}

/** A small spec for which validation reports no findings. */
export const validSpec: SpecDocument = {
  spec_id: "sample-2026-01-01-001",
  title: "Sample",
  generated: "2026-01-01T00:00:00Z",
  last_updated: "2026-01-02T00:00:00.123456Z",
  metadata: {
    ...{ mission: "Show", complexity: "low", success_criteria: ["It runs"], constraints: ["No haste"] },
    ...{ plan_path: "plan.md", plan_review_path: "review.md" },
    risks: [{ description: "Rain", likelihood: "low", impact: "high", mitigation: "An umbrella" }],
  },
  hierarchy: {
    "spec-root": {
      ...{ type: "spec", title: "Sample", status: "pending", parent: null, children: ["phase-1"] },
      ...{ total_tasks: 3, completed_tasks: 0, metadata: {} },
    },
    "phase-1": {
      ...{ type: "phase", title: "First", status: "pending", parent: "spec-root" },
      children: ["task-1-1", "task-1-2", "verify-1-1"],
      ...{ total_tasks: 3, completed_tasks: 0, metadata: {}, dependencies: links },
    },
    "task-1-1": task(["task-1-2"], []),
    "task-1-2": task([], ["task-1-1"]),
    "verify-1-1": {
      ...{ type: "verify", title: "Check it", status: "pending", parent: "phase-1", children: [] },
      ...{ total_tasks: 1, completed_tasks: 0, metadata: { verification_type: "run-tests" } },
    },
  },
  journal: [],
};

/**
 * The values to set, by path. A path has the form `hierarchy.task-1-1.status`; undefined removes the value.
 */
export type Breakage = Readonly<Record<string, JsonValue | undefined>>;

/** Returns the valid spec with some values replaced. */
export function breakSpec(breakage: Breakage): SpecDocument {
  const edits = Object.entries(breakage).map(([place, value]): Edit => {
    const path: EditPath = place.split(".").map((key) => (/^\d+$/.test(key) ? Number(key) : key));
    return value === undefined ? { op: "remove", path } : { op: "set", path, value };
  });
  return applyEdits(validSpec, edits);
}
