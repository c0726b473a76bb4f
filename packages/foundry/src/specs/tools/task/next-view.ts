import type { DescribeRemedy } from "@foundry-mcp/contract";
import { nextFreeTask } from "../../model/claims/claim-task.ts";
import type { NextTask, NoTaskReason } from "../../model/next-task.ts";
import { explainNoTask, type NoTask, type NoTaskContext } from "../../model/no-task.ts";
import { rootId } from "../../model/spec-document.ts";
import { progressOf, type SpecModel, type SpecNode } from "../../model/spec-model.ts";
import { matchesFilter, type WorkFilter } from "../../model/work-filter.ts";
import type { SpecSnapshot } from "../../stores/spec-store.ts";
import { cachedNextTask } from "../list-cache.ts";
import type { Workspace } from "../workspace.ts";
import { toWork } from "./work-context.ts";

/** Converts a filter to the form that the search for a task uses. Undefined accepts every task. */
export function toTaskFilter(filter: WorkFilter | undefined) {
  return filter === undefined ? undefined : ({ metadata }: SpecNode) => matchesFilter(filter, metadata);
}

/** Finds the next task that no agent has claimed. */
export async function findUnclaimedTask(
  workspace: Workspace,
  { id, model }: Pick<SpecSnapshot, "id" | "model">,
  filter?: WorkFilter,
): Promise<NextTask> {
  const leases = await (await workspace.store()).leases(id);
  return leases.size === 0 && filter === undefined
    ? cachedNextTask(model)
    : nextFreeTask(model, { leases, now: new Date().toISOString() }, toTaskFilter(filter));
}

/** Converts the next task to a payload. */
export function toNextTask(spec_id: string, model: SpecModel, node: SpecNode, maxTokens: number) {
  return {
    found: true as const,
    spec_id,
    ...toWork(model, node, { maxTokens }),
    spec_complete: false,
    progress: progressOf(model.tally(rootId)),
  };
}

/**
 * Returns the payload for a spec without a next task. The payload contains the reason and the call that
 * helps.
 */
export function toNoTask(spec_id: string, model: SpecModel, reason: NoTaskReason, context: NoTaskContext) {
  return {
    found: false as const,
    spec_id,
    ...explainNoTask(model, reason, context),
    progress: progressOf(model.tally(rootId)),
  };
}

/** Explains why a spec has no next task. The explanation needs the stored leases of the spec. */
export async function readNoTask(
  workspace: Workspace,
  { id, model, folder }: Pick<SpecSnapshot, "id" | "model" | "folder">,
  reason: NoTaskReason,
  filter?: WorkFilter,
) {
  const leases = await (await workspace.store()).leases(id);
  return toNoTask(id, model, reason, { leases, now: new Date().toISOString(), folder, filter });
}

/** The purpose of each call that helps, by the name of its action. */
const advice: Readonly<Record<string, string>> = {
  wait: "Wait until a task is ready",
  unblock: "When its obstacle is gone, unblock it",
  prepare: "Complete the task that others wait for",
  "analyze-deps": "Find the cycle of dependencies",
  next: "Take any task",
  complete: "Complete the spec",
  activate: "Activate a spec that has work",
  add: "Add work",
  "phase-add": "Add a phase",
  "spec-create": "Create a spec",
};

/** Adds a sentence to a payload that names its remedies in the form of the surface. */
export function withRemediation<T extends object>(
  result: T,
  describe: DescribeRemedy,
): T & { readonly remediation?: string } {
  const { remedy, other_remedies: others = [] } = result as Pick<NoTask, "remedy" | "other_remedies">;
  if (remedy === undefined) return result;
  const sentences = [remedy, ...others].map((each) => {
    const action = "tool" in each ? each.action : undefined;
    return `${advice[action ?? ""] ?? "Call"}: ${describe(each)}.`;
  });
  return { ...result, remediation: sentences.join(" ") };
}
