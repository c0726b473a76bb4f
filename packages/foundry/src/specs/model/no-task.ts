import type { Remedy } from "@foundry-mcp/contract";
import { type Blocker, findBlocker } from "./blocker.ts";
import type { ChangeContext } from "./change.ts";
import { activeLease, isExpired } from "./lease.ts";
import type { NoTaskReason } from "./next-task.ts";
import { createWaitingCheck } from "./readiness.ts";
import { findReadyWork } from "./require-ready.ts";
import { rootId, type SpecFolder } from "./spec-document.ts";
import type { SpecModel, SpecNode } from "./spec-model.ts";
import type { WorkFilter } from "./work-filter.ts";

/** A task that an agent has claimed. */
export interface HeldTask {
  readonly task_id: string;
  readonly title: string;
  readonly holder: string;
  readonly lease_until: string;
}

/** A task that cannot start. */
export interface BlockedTask {
  readonly task_id: string;
  readonly title: string;
  readonly blocker?: Blocker | undefined;
}

/** The reason why no task of a spec is available, and the calls that help. */
export interface NoTask {
  readonly reason: NoTaskReason;
  readonly message: string;
  readonly spec_complete: boolean;
  /** The first few claimed tasks, sorted by the time at which they become free. */
  readonly held?: readonly HeldTask[];
  readonly held_count?: number;
  /** The first few tasks in progress that no agent has claimed. */
  readonly in_progress?: readonly { readonly task_id: string; readonly title: string }[];
  readonly in_progress_count?: number;
  /** The first few tasks that are blocked or wait for other tasks. */
  readonly blocked?: readonly BlockedTask[];
  readonly blocked_count?: number;
  readonly remedy?: Remedy;
  readonly other_remedies?: readonly Remedy[];
}

/** The data, in addition to the spec, that determines why there is no task. */
export interface NoTaskContext extends Pick<ChangeContext, "leases" | "now"> {
  readonly folder: SpecFolder;
  readonly filter?: WorkFilter | undefined;
}

/** The maximum number of tasks named in each list. */
const maxNamed = 3;

/**
 * Explains why there is no next task. The explanation lists the claimed tasks with their holders and lease
 * ends, the blocked tasks with their blockers, and the calls that help.
 */
export function explainNoTask(spec: SpecModel, reason: NoTaskReason, context: NoTaskContext): NoTask {
  const open = reason === "complete" || reason === "empty" ? noWork : openWork(spec, context);
  const [remedy, ...others] = remediesOf(spec, reason, open, context);
  return {
    reason,
    message: messageOf(reason, open),
    spec_complete: reason === "complete",
    ...toRows("held", open.held, (held) => held),
    ...toRows("in_progress", open.inProgress, ({ id, title }) => ({ task_id: id, title })),
    ...toRows("blocked", [...open.blocked, ...open.waiting], (node) => toBlockedTask(spec, node)),
    ...(remedy === undefined ? {} : { remedy }),
    ...(others.length === 0 ? {} : { other_remedies: others }),
  };
}

/** The open work of a spec that cannot be given to an agent. */
interface OpenWork {
  readonly held: readonly HeldTask[];
  readonly inProgress: readonly SpecNode[];
  /** The tasks that were blocked with a reason. */
  readonly blocked: readonly SpecNode[];
  /** The tasks that wait for other tasks. */
  readonly waiting: readonly SpecNode[];
}

const noWork: OpenWork = { held: [], inProgress: [], blocked: [], waiting: [] };

function openWork(spec: SpecModel, { leases, now }: NoTaskContext): OpenWork {
  const isBlocked = createWaitingCheck(spec);
  const held: HeldTask[] = [];
  const inProgress: SpecNode[] = [];
  const blocked: SpecNode[] = [];
  const waiting: SpecNode[] = [];
  for (const node of spec.orderedNodes) {
    const { id, title, status } = node;
    if (!spec.isCounted(node) || status === "completed") continue;
    const lease = activeLease(leases, id, now);
    if (lease !== undefined)
      held.push({ task_id: id, title, holder: lease.holder, lease_until: lease.until });
    else if (status === "blocked") blocked.push(node);
    else if (status === "in_progress" && !isExpired(leases, id, now)) inProgress.push(node);
    else if (isBlocked(id)) waiting.push(node);
  }
  const byEnd = held.toSorted((a, b) => (a.lease_until < b.lease_until ? -1 : 1));
  return { held: byEnd, inProgress, blocked, waiting };
}

function toBlockedTask(spec: SpecModel, node: SpecNode): BlockedTask {
  const blocker = findBlocker(spec, node);
  return { task_id: node.id, title: node.title, ...(blocker === undefined ? {} : { blocker }) };
}

function toRows<N extends string, T>(name: N, tasks: readonly T[], toRow: (task: T) => object): object {
  if (tasks.length === 0) return {};
  return { [name]: tasks.slice(0, maxNamed).map(toRow), [`${name}_count`]: tasks.length };
}

function messageOf(reason: NoTaskReason, { held, inProgress, blocked, waiting }: OpenWork): string {
  if (reason === "complete") return "Everything is done.";
  if (reason === "empty") return "This spec has no tasks.";
  if (reason === "no_match") return "Tasks are ready, but none of them matches the filter.";
  const [first] = held;
  const more =
    held.length > 1 ? ` (and ${held.length - 1} more ${held.length === 2 ? "is" : "are"} held)` : "";
  const parts = [
    ...(first === undefined
      ? []
      : [`${first.holder} holds ${first.task_id} until ${first.lease_until}${more}`]),
    ...count(inProgress, "in progress"),
    ...count(blocked, "blocked"),
    ...count(waiting, "waiting for other tasks"),
  ];
  return `Nothing is ready${parts.length === 0 ? "" : `: ${parts.join("; ")}`}.`;
}

function count(nodes: readonly SpecNode[], state: string): readonly string[] {
  const [first] = nodes;
  if (first === undefined) return [];
  return [nodes.length === 1 ? `${first.id} is ${state}` : `${nodes.length} tasks are ${state}`];
}

/** Returns the calls that help; the best call comes first. */
function remediesOf(
  spec: SpecModel,
  reason: NoTaskReason,
  { held, inProgress, blocked, waiting }: OpenWork,
  { folder, filter }: NoTaskContext,
): readonly Remedy[] {
  const spec_id = spec.id;
  if (reason === "complete")
    return folder === "active" ? [{ tool: "lifecycle", action: "complete", arguments: { spec_id } }] : [];
  if (reason === "empty") return [addWorkCall(spec)];
  const wait = waitCall({ spec_id, ...filter });
  if (reason === "no_match") return [{ tool: "task", action: "next", arguments: { spec_id } }, wait];
  if (held.length + inProgress.length > 0) return [wait];
  const [first] = blocked;
  if (first !== undefined) {
    const unblock = { spec_id, task_id: first.id };
    return [{ tool: "task", action: "unblock", arguments: unblock, needs: ["note"] }, wait];
  }
  const work = waiting[0] && findReadyWork(spec, waiting[0]);
  if (work === undefined) return [{ tool: "spec", action: "analyze-deps", arguments: { spec_id } }, wait];
  return [{ tool: "task", action: "prepare", arguments: { spec_id, task_id: work.id } }, wait];
}

/** Returns the call that waits until a task is ready. */
export function waitCall(args: WorkFilter & { readonly spec_id?: string | undefined }): Remedy {
  return { tool: "task", action: "wait", arguments: { ...args } };
}

function addWorkCall(spec: SpecModel): Remedy {
  const phase = spec.childrenOf(rootId).find(({ type }) => type === "phase");
  if (phase === undefined)
    return { tool: "authoring", action: "phase-add", arguments: { spec_id: spec.id }, needs: ["title"] };
  const args = { spec_id: spec.id, parent: phase.id };
  return { tool: "task", action: "add", arguments: args, needs: ["title"] };
}
