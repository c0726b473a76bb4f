import type { ChangeContext, Plan } from "../change.ts";
import { doFilesOverlap, filesOf } from "../file-overlap.ts";
import { activeLease, type Lease } from "../lease.ts";
import { type NextTask, readyTasks, type TaskFilter } from "../next-task.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";
import { type ClaimInput, type ClaimResult, leasesOfOthers, nextFreeTask, toLease } from "./claim-task.ts";

/** The tasks to claim. */
export interface BatchInput extends ClaimInput {
  /** The maximum number of tasks. */
  readonly max_tasks: number;
  readonly matches?: TaskFilter | undefined;
}

/** A claimed task. */
export interface ClaimedTask {
  readonly node: SpecNode;
  readonly claim: ClaimResult;
}

/** A ready task that cannot be worked on at the same time as another task. */
export interface ConflictingTask {
  readonly task_id: string;
  /** The id of the task that changes the same files; absent if one of the two tasks names no file. */
  readonly overlaps?: string | undefined;
}

/**
 * The result of claiming several tasks. `conflicting` lists the first ready tasks that were not claimed
 * because of a conflict.
 */
export type BatchResult =
  | {
      readonly found: true;
      readonly claimed: readonly ClaimedTask[];
      readonly conflicting: readonly ConflictingTask[];
    }
  | (NextTask & { readonly found: false });

/** The maximum number of tasks listed in `conflicting`. */
const maxConflicting = 5;
/**
 * The maximum number of ready tasks that a batch considers. Without this limit, a batch would search a spec
 * whose tasks all change the same file to the end.
 */
const maxConsidered = 1_000;

/** The categories of tasks that change no files. */
const readingCategories: ReadonlySet<unknown> = new Set(["investigation", "decision", "research"]);

/**
 * Claims ready tasks that can be worked on at the same time, in the order of work. The files of these tasks
 * overlap neither with each other nor with the files of tasks that were claimed before. Dependencies are not
 * compared, because ready tasks never wait for each other.
 */
export function claimBatch({ max_tasks, matches = () => true, ...input }: BatchInput): Plan<BatchResult> {
  return (spec, context) => {
    const held = heldTasks(spec, context);
    const picked: Picked[] = [];
    const claimed: ClaimedTask[] = [];
    const conflicting: ConflictingTask[] = [];
    const leases: Record<string, Lease> = {};
    let considered = 0;
    for (const node of readyTasks(spec, leasesOfOthers(context), matches)) {
      considered += 1;
      if (claimed.length === max_tasks || considered > maxConsidered) break;
      const task = toPicked(node);
      const conflict =
        held.find((other) => isConflict(task, other, true)) ??
        picked.find((other) => isConflict(task, other, false));
      if (conflict !== undefined) {
        const overlaps = task.isExclusive || conflict.isExclusive ? {} : { overlaps: conflict.id };
        if (conflicting.length < maxConflicting) conflicting.push({ task_id: node.id, ...overlaps });
        continue;
      }
      picked.push(task);
      const token = `${context.newToken}-${claimed.length + 1}`;
      const claim = toLease(node.id, input, { ...context, newToken: token });
      Object.assign(leases, claim.leases);
      claimed.push({ node, claim: claim.result });
    }
    if (claimed.length > 0) return { edits: [], leases, result: { found: true, claimed, conflicting } };
    const next = nextFreeTask(spec, context, matches);
    // Every ready task overlaps with a task that an agent has claimed.
    return { edits: [], result: next.found ? { found: false, reason: "in_progress" } : next };
  };
}

interface Picked {
  readonly id: string;
  readonly files: readonly string[];
  /** True for a task that may change any file, because it does not name its files. */
  readonly isExclusive: boolean;
}

function toPicked({ id, type, metadata }: SpecNode): Picked {
  const files = filesOf(metadata);
  const isReading = type === "research" || readingCategories.has(metadata["task_category"]);
  return { id, files, isExclusive: files.length === 0 && !isReading };
}

/**
 * Returns the tasks with active leases. Tasks that may change any file are left out, because such a task
 * would conflict with all other tasks until its lease ends.
 */
function heldTasks(
  spec: SpecModel,
  { leases, now }: Pick<ChangeContext, "leases" | "now">,
): readonly Picked[] {
  return [...leases.keys()].flatMap((id) => {
    const node = activeLease(leases, id, now) === undefined ? undefined : spec.node(id);
    const task = node === undefined ? undefined : toPicked(node);
    return task === undefined || task.isExclusive ? [] : [task];
  });
}

/**
 * Returns whether two tasks must not be worked on at the same time. An exclusive task never conflicts with a
 * task that was claimed before, because claiming a single task does not check files either.
 */
function isConflict(task: Picked, other: Picked, isHeld: boolean): boolean {
  if (!isHeld && task.isExclusive && (other.isExclusive || other.files.length > 0)) return true;
  if (other.isExclusive && task.files.length > 0) return true;
  return doFilesOverlap(task.files, other.files);
}
