import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { schemaValues } from "../known-values.ts";
import { SpecModel } from "../spec-model.ts";
import { validSpec } from "../validate/testing/valid-spec.ts";
import { toStats } from "./stats.ts";

const fixture = new URL(
  "../../../../../../test/fixtures/specs/completed/foundry-mcp-2025-01-25-001.json",
  import.meta.url,
);

it("counts what a spec holds", () => {
  expect(toStats(new SpecModel(validSpec))).toEqual({
    totals: { nodes: 5, tasks: 2, phases: 1, verifications: 1 },
    status_counts: { pending: 3, in_progress: 0, completed: 0, blocked: 0 },
    max_depth: 2,
    avg_tasks_per_phase: 2,
    verification_coverage: 1,
    progress: { completed: 0, total: 3, percentage: 0 },
    phases: [
      {
        phase_id: "phase-1",
        title: "First",
        status: "pending",
        tasks: 2,
        verifications: 1,
        progress: { completed: 0, total: 3, percentage: 0 },
      },
    ],
  });
});

it("counts nothing in a document that is not a spec", () => {
  expect(toStats(new SpecModel({ hierarchy: { a: { children: ["a"] }, b: 7 } }))).toEqual({
    totals: { nodes: 2, tasks: 0, phases: 0, verifications: 0 },
    status_counts: { pending: 0, in_progress: 0, completed: 0, blocked: 0 },
    max_depth: 0,
    avg_tasks_per_phase: 0,
    verification_coverage: 0,
    progress: { completed: 0, total: 0, percentage: 0 },
    phases: [],
  });
});

it("counts a file of another program", () => {
  const { phases, ...stats } = toStats(new SpecModel(JSON.parse(readFileSync(fixture, "utf8"))));
  expect(stats).toEqual({
    totals: { nodes: 80, tasks: 45, phases: 6, verifications: 16 },
    status_counts: { pending: 3, in_progress: 0, completed: 55, blocked: 0 },
    max_depth: 4,
    avg_tasks_per_phase: 7.5,
    verification_coverage: 1,
    progress: { completed: 55, total: 58, percentage: 94 },
  });
  expect(phases.map(({ progress }) => progress.completed).reduce((sum, each) => sum + each)).toBe(55);
});

it("lists the values that fields may have", () => {
  expect(schemaValues).toEqual({
    node_types: ["spec", "phase", "group", "task", "subtask", "verify", "research"],
    statuses: ["pending", "in_progress", "completed", "blocked"],
    task_categories: ["investigation", "implementation", "refactoring", "decision", "research"],
    verification_types: ["run-tests", "fidelity", "manual"],
    journal_entry_types: ["status_change", "deviation", "blocker", "decision", "note"],
    blocker_types: ["dependency", "technical", "resource", "decision"],
    priorities: ["critical", "high", "medium", "low"],
    status_folders: ["pending", "active", "completed", "archived"],
  });
});
