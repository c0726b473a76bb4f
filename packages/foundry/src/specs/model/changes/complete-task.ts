import { ContractError } from "@foundry-mcp/contract";
import { createBelowCheck } from "../ancestor-check.ts";
import type { Change, ChangeContext, Plan } from "../change.ts";
import { nextFreeTask } from "../claims/claim-task.ts";
import { warnOfOpenWork } from "../evidence/open-work.ts";
import { requireEvidence } from "../evidence/require-evidence.ts";
import { isTaskNode, listIds, requireTask } from "../find-node.ts";
import { requireUnblocked } from "../require-ready.ts";
import { derivedStatus } from "../rollup.ts";
import { rootId } from "../spec-document.ts";
import { type Progress, progressOf, type SpecModel, type SpecNode } from "../spec-model.ts";
import { requireText } from "../text-limits.ts";
import { requireTransition } from "../transitions.ts";
import { unchanged } from "../unchanged.ts";
import { finishChange } from "./finish-change.ts";
import { changeStatus, type StatusResult, statusResult } from "./status-edits.ts";

/** The task to complete. */
export interface CompleteInput {
  readonly task_id: string;
  /** A description of the work that was done. @default a sentence that names the task */
  readonly note?: string | undefined;
}

/** The next task, which a caller usually works on after the completed one. */
interface FollowingTask {
  readonly task_id: string;
  readonly title: string;
}

/** The result of completing a task. */
export interface CompleteResult extends StatusResult {
  /** The time of completion; null if the file does not record the time. */
  readonly completed_at: string | null;
  readonly actual_hours?: number;
  /** The progress of the whole spec. */
  readonly progress: Progress;
  readonly spec_complete: boolean;
  /** The next task that is ready and that no agent has claimed. */
  readonly next?: FollowingTask;
}

/**
 * Completes a task, and finds the next one. A batch does not use this function, because each of its operations would
 * search for a next task.
 */
export function completeAndFindNext(input: CompleteInput): Plan<CompleteResult> {
  return completeTask(input, "complete", findNext);
}

function findNext(rolledUp: () => SpecModel, context: ChangeContext): { readonly next?: FollowingTask } {
  const next = nextFreeTask(rolledUp(), context);
  return next.found ? { next: { task_id: next.node.id, title: next.node.title } } : {};
}

/** Completes a task. Throws if the task has open blockers, has open subtasks or lacks required evidence. */
export function completeTask(
  { task_id, note }: CompleteInput,
  action = "complete",
  more: typeof findNext = () => ({}),
): Plan<CompleteResult> {
  return (spec, context) => {
    requireText("note", note);
    const node = requireTask(spec, task_id, action);
    if (!spec.isLeaf(node)) return completeParent(spec, node, context, action);
    if (node.status === "completed") return alreadyCompleted(spec, node, note);
    requireTransition(spec, node, "completed", action);
    requireUnblocked(spec, task_id, action);
    const warnings = warnOfOpenWork(spec, node, action);
    requireEvidence(spec, node, action);
    const { now } = context;
    const hours = hoursOf(node, now);
    return changeStatus(spec, context, node, {
      to: "completed",
      metadata: { completed_at: now, needs_journaling: false, ...hours, journaled_at: now },
      title: `Task Completed: ${node.title}`,
      content: note || `Completed "${node.title}".`,
      warnings,
      result: (after, rolledUp) => ({
        ...toResult(after, node, now, hours),
        ...more(rolledUp, context),
      }),
    });
  };
}

/**
 * Returns the hours to store: the hours that were entered by hand. If no hours were entered and the task is
 * in progress, the result is the time since its start.
 */
function hoursOf({ status, metadata }: SpecNode, now: string): { readonly actual_hours?: number } {
  const { actual_hours: own, started_at } = metadata;
  if (typeof own === "number") return { actual_hours: own };
  const hours = status === "in_progress" ? hoursBetween(started_at, now) : undefined;
  return hours === undefined ? {} : { actual_hours: hours };
}

/**
 * Completes a parent task. Throws if tasks below the parent are open. The status of a parent is derived from
 * its children, so the edits only correct stored values that are inconsistent.
 */
function completeParent(
  spec: SpecModel,
  node: SpecNode,
  context: ChangeContext,
  action: string,
): Change<CompleteResult> {
  if (derivedStatus(spec, node) === "completed") {
    const { edits } = finishChange(spec, context, { edits: [], touched: [node.id], result: () => undefined });
    return { ...alreadyCompleted(spec, node), edits: node.status === "completed" ? [] : edits };
  }
  const isBelow = createBelowCheck(spec, node.id);
  const open = spec.orderedNodes.filter(
    (each) => isTaskNode(each) && spec.isLeaf(each) && each.status !== "completed" && isBelow(each.id),
  );
  if (open.length === 0) throw nothingToComplete(spec, node, action);
  const tasks = open.length === 1 ? "1 task below it is" : `${open.length} tasks below it are`;
  throw new ContractError(`Cannot ${action} ${node.id}: ${tasks} open: ${listIds(open, 5)}`, {
    errorCode: "INVALID_STATE",
    remediation: `Complete ${listIds(open)} first; ${node.id} is then completed with the last of them.`,
    details: {
      task_id: node.id,
      status: node.status,
      open_count: open.length,
      open: open.slice(0, 20).map(({ id, status }) => ({ task_id: id, status })),
    },
  });
}

/** The error for a parent that is open without open tasks, because its children lead back to it or are no tasks. */
function nothingToComplete(spec: SpecModel, { id, status }: SpecNode, action: string): ContractError {
  return new ContractError(`Cannot ${action} ${id}: it has children, but no open task below it`, {
    errorCode: "INVALID_STATE",
    remediation: `Correct the children of ${id} in the file; {1} names faults of the spec, such as cycles.`,
    remedy: { tool: "spec", action: "validate", arguments: { spec_id: spec.id } },
    details: { task_id: id, status, open_count: 0 },
  });
}

function alreadyCompleted(spec: SpecModel, node: SpecNode, note?: string): Change<CompleteResult> {
  const { completed_at: at, actual_hours: hours } = node.metadata;
  return unchanged(
    toResult(
      spec,
      node,
      typeof at === "string" ? at : null,
      typeof hours === "number" ? { actual_hours: hours } : {},
    ),
    note
      ? `${node.id} is completed already; nothing was changed, and the note was not kept: add it to the journal`
      : `${node.id} is completed already; nothing was changed`,
  );
}

function toResult(
  spec: SpecModel,
  node: SpecNode,
  completedAt: string | null,
  hours: { readonly actual_hours?: number },
): CompleteResult {
  const progress = progressOf(spec.tally(rootId));
  return {
    ...statusResult(spec, node, "completed"),
    completed_at: completedAt,
    ...hours,
    progress,
    spec_complete: progress.percentage === 100,
  };
}

/**
 * Returns the hours between two times, rounded to two decimals; undefined if one of the values is not a time.
 */
function hoursBetween(from: unknown, to: string): number | undefined {
  if (typeof from !== "string") return undefined;
  const hours = (toTime(to) - toTime(from)) / 3_600_000;
  return Number.isFinite(hours) ? Math.max(0, Math.round(hours * 100) / 100) : undefined;
}

/** Parses a time. A time without a time zone is read as UTC, not as local time. */
function toTime(text: string): number {
  const hasZone = /(z|[+-]\d\d:?\d\d)$/i.test(text) || !text.includes("T");
  return Date.parse(hasZone ? text : `${text}Z`);
}
