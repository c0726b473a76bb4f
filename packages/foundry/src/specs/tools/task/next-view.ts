import { nextFreeTask } from "../../model/claims/claim-task.ts";
import type { NextTask } from "../../model/next-task.ts";
import { rootId } from "../../model/spec-document.ts";
import { progressOf, type SpecModel, type SpecNode } from "../../model/spec-model.ts";
import { cachedNextTask } from "../list-cache.ts";
import { phaseOf, toTaskRow } from "../spec-views.ts";
import type { Workspace } from "../workspace.ts";

/** Finds the next task that no agent holds. */
export async function findUnclaimedTask(
  workspace: Workspace,
  id: string,
  model: SpecModel,
): Promise<NextTask> {
  const leases = await (await workspace.store()).leases(id);
  return leases.size === 0
    ? cachedNextTask(model)
    : nextFreeTask(model, { leases, now: new Date().toISOString() });
}

/** Converts the next task to a payload. */
export function toNextTask(spec_id: string, model: SpecModel, node: SpecNode) {
  const phase = phaseOf(model, node.id);
  return {
    found: true,
    spec_id,
    ...toTaskRow(node),
    ...(phase === undefined ? {} : { phase: { id: phase.id, title: phase.title } }),
    metadata: node.metadata,
    spec_complete: false,
    progress: progressOf(model.tally(rootId)),
  };
}

/** Returns the payload for a spec without a next task. */
export function toNoTask({ reason }: Extract<NextTask, { found: false }>) {
  const messages = {
    complete: "Everything is done.",
    blocked: "What is left waits for something else.",
    in_progress: "What is left is being worked on.",
    empty: "There is no work in this spec.",
  };
  return { reason, message: messages[reason], spec_complete: reason === "complete" };
}
