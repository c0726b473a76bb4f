import { expect, test } from "vitest";
import { specFolders } from "../spec-document.ts";
import { specOf } from "../testing/arbitrary-spec.ts";
import { nodesOf } from "../testing/recount.ts";
import { failureOf, now, runChange } from "../testing/run-change.ts";
import { folderTransitions } from "../transitions.ts";
import { moveSpec } from "./move-spec.ts";

const open = specOf("phase-1", "phase-1/task-1-1 completed", "phase-1/task-1-2", "phase-1/research-1-1");
const done = specOf("phase-1", "phase-1/task-1-1 completed");

test("every pair of folders follows the table", () => {
  for (const from of specFolders) {
    for (const to of specFolders) {
      const plan = moveSpec({ from, to });
      if (from === to) {
        expect(runChange(done, plan)).toMatchObject({
          edits: [],
          warnings: [`Spec "made-up-2026-01-01-001" is ${to} already; nothing was changed`],
        });
      } else if ((folderTransitions[from] as readonly string[]).includes(to)) {
        expect(runChange(done, plan).result).toEqual({
          spec_id: "made-up-2026-01-01-001",
          title: "Made up",
          status: to,
          from_folder: from,
          to_folder: to,
          progress: { completed: 1, total: 1, percentage: 100 },
        });
      } else {
        expect(failureOf(done, plan)).toMatchObject({
          code: "INVALID_STATE",
          details: { status: from, requested: to, allowed: folderTransitions[from] },
        });
      }
    }
  }
});

test("a move adds a journal entry and changes no node", () => {
  const { document } = runChange(done, moveSpec({ from: "active", to: "completed" }));
  expect(nodesOf(document)).toEqual(nodesOf(done));
  expect(document).toMatchObject({
    last_updated: now,
    status: "completed",
    journal: [
      {
        entry_type: "status_change",
        title: "Spec moved from active to completed",
        content: "The spec is completed, at 100 %.",
      },
    ],
  });
});

test("a spec with open tasks is completed only with force and a reason", () => {
  expect(failureOf(open, moveSpec({ from: "active", to: "completed" }))).toEqual({
    code: "INVALID_STATE",
    message:
      'Cannot complete spec "made-up-2026-01-01-001": it is at 50 %, and 1 of 2 tasks are open: task-1-2',
    remediation:
      'Complete the open tasks: task(action="query", spec_id="made-up-2026-01-01-001"); or complete the spec in spite of them: lifecycle(action="complete", spec_id="made-up-2026-01-01-001", force=true, reason=…).',
    details: {
      spec_id: "made-up-2026-01-01-001",
      progress: { completed: 1, total: 2, percentage: 50 },
      open_count: 1,
      open: [{ task_id: "task-1-2", status: "pending" }],
    },
  });
  const forced = { from: "active", to: "completed", force: true } as const;
  expect(failureOf(open, moveSpec(forced)).code).toBe("MISSING_REQUIRED");
  const { document } = runChange(open, moveSpec({ ...forced, reason: "Not needed" }));
  expect(document).toMatchObject({
    status: "in_progress",
    journal: [{ entry_type: "decision", content: "Not needed" }],
  });
  expect(failureOf(specOf("phase-1"), moveSpec({ from: "active", to: "completed" })).message).toContain(
    "it has no tasks",
  );
});
