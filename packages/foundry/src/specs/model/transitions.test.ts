import { expect, test } from "vitest";
import { nodeStatuses, specFolders } from "./spec-document.ts";
import { folderTransitions, nodeTransitions, requireMove, requireTransition } from "./transitions.ts";

const actions = ["start", "complete", "block", "unblock", "reopen", "update-status"] as const;
/** Every step that is allowed, and by which actions. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  "pending in_progress": ["start", "update-status"],
  "pending completed": ["complete", "update-status"],
  "pending blocked": ["block", "update-status"],
  "in_progress completed": ["complete", "update-status"],
  "in_progress blocked": ["block", "update-status"],
  "in_progress pending": ["update-status"],
  "blocked pending": ["unblock"],
  "blocked in_progress": ["unblock"],
  "completed pending": ["reopen"],
};
const pairs = nodeStatuses.flatMap((from) => nodeStatuses.map((to) => [from, to] as const));

test.each(pairs)("from %s to %s", (from, to) => {
  const passing = actions.filter((action) => {
    try {
      requireTransition("task-1-1", from, to, action);
      return true;
    } catch (error) {
      expect(error).toMatchObject({
        code: "INVALID_STATE",
        options: {
          details: {
            task_id: "task-1-1",
            status: from,
            requested: to,
            allowed: Object.keys(nodeTransitions[from]),
          },
        },
      });
      return false;
    }
  });
  expect(passing).toEqual(allowed[`${from} ${to}`] ?? []);
});

test("an error names the allowed transitions with their actions", () => {
  expect(() => requireTransition("task-1-1", "blocked", "in_progress", "start")).toThrow(
    expect.objectContaining({
      message: "Cannot start task-1-1: it is blocked, and start cannot make that in_progress",
      options: expect.objectContaining({
        remediation: "From blocked it may become pending by unblock, or in_progress by unblock.",
      }),
    }) as Error,
  );
});

test("folders", () => {
  const moves = specFolders.flatMap((from) =>
    specFolders.flatMap((to) => {
      try {
        requireMove("x", from, to);
        return [`${from} ${to}`];
      } catch (error) {
        expect(error).toMatchObject({
          code: "INVALID_STATE",
          message: `Cannot move spec "x" from ${from} to ${to}`,
          options: {
            remediation: `From ${from} it may move to ${folderTransitions[from].join(" or ")}.`,
          },
        });
        return [];
      }
    }),
  );
  expect(moves.sort()).toEqual([
    "active archived",
    "active completed",
    "active pending",
    "archived active",
    "archived pending",
    "completed active",
    "completed archived",
    "pending active",
    "pending archived",
  ]);
});
