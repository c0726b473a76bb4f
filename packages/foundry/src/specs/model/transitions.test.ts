import { isContractError, type RemedyCall } from "@foundry-mcp/contract";
import { expect, test } from "vitest";
import { type NodeStatus, nodeStatuses, specFolders } from "./spec-document.ts";
import { SpecModel } from "./spec-model.ts";
import { specOf } from "./testing/arbitrary-spec.ts";
import { folderTransitions, requireMove, requireTransition } from "./transitions.ts";

const actions = ["start", "complete", "block", "unblock", "reopen", "update-status"] as const;
/** The allowed status transitions, each with the actions that can make the transition. */
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

/** Makes an action request a status of a task that has another status. */
function request(from: NodeStatus, to: NodeStatus, action: string): void {
  const spec = new SpecModel(specOf("phase-1", `phase-1/task-1-1 ${from}`));
  requireTransition(spec, spec.node("task-1-1")!, to, action);
}

/** The statuses that an action can set from a status. */
const setBy = (from: NodeStatus, action: string): readonly string[] =>
  nodeStatuses.filter((to) => allowed[`${from} ${to}`]?.includes(action) === true);

test.each(pairs)("from %s to %s", (from, to) => {
  const passing = actions.filter((action) => {
    try {
      request(from, to, action);
      return true;
    } catch (error) {
      expect(error).toMatchObject({
        code: "INVALID_STATE",
        // `allowed` names what the same call takes: a caller that repeats the call with one of these is not refused.
        options: {
          details: { task_id: "task-1-1", status: from, requested: to, allowed: expect.any(Array) },
        },
      });
      const { details } = (error as { readonly options: { readonly details: { readonly allowed: unknown } } })
        .options;
      expect(new Set(details.allowed as readonly string[])).toEqual(new Set(setBy(from, action)));
      return false;
    }
  });
  expect(passing).toEqual(allowed[`${from} ${to}`] ?? []);
});

/** Returns the remediation and the remedies of a refused request. */
function refusal(from: NodeStatus, to: NodeStatus, action: string) {
  try {
    request(from, to, action);
  } catch (error) {
    if (!isContractError(error)) throw error;
    const { remediation, remedy } = error.options;
    return { message: error.message, remediation, remedy };
  }
  throw new Error("The request was not refused");
}

test("an error gives each action that the task takes as a call, first the one that reaches the status", () => {
  const spec_id = "made-up-2026-01-01-001";
  const call = (action: string, more: object = {}, needs: readonly string[] = []): RemedyCall => ({
    tool: "task",
    action,
    arguments: { spec_id, task_id: "task-1-1", ...more },
    ...(needs.length === 0 ? {} : { needs }),
  });
  expect({
    start: refusal("blocked", "in_progress", "start"),
    pending: refusal("completed", "pending", "update-status"),
    again: refusal("in_progress", "in_progress", "start"),
    reopen: refusal("pending", "pending", "reopen"),
  }).toEqual({
    start: {
      message: "Cannot start task-1-1: its status is blocked",
      remediation: "A task that is blocked takes unblock (to pending or in_progress): {1}.",
      remedy: [call("unblock", { status: "in_progress" })],
    },
    pending: {
      message: "Cannot set task-1-1 to pending: its status is completed",
      remediation: "A task that is completed takes reopen (to pending): {1}.",
      remedy: [call("reopen", {}, ["reason"])],
    },
    again: {
      message: "Cannot start task-1-1: its status is in_progress",
      remediation:
        "A task that is in_progress takes complete (to completed): {1}; block (to blocked): {2}; or update-status (to pending): {3}.",
      remedy: [call("complete"), call("block", {}, ["reason"]), call("update-status", { status: "pending" })],
    },
    reopen: {
      message: "Cannot reopen task-1-1: its status is pending",
      remediation:
        "A task that is pending takes start (to in_progress): {1}; complete (to completed): {2}; or block (to blocked): {3}.",
      remedy: [call("start"), call("complete"), call("block", {}, ["reason"])],
    },
  });
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
            remediation: `From ${from} it may move to ${folderTransitions[from].map((folder, index) => `${folder}: {${index + 1}}`).join("; or to ")}.`,
            remedy: folderTransitions[from].map((to_folder) => ({
              tool: "lifecycle",
              action: "move",
              arguments: { spec_id: "x", to_folder },
            })),
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
