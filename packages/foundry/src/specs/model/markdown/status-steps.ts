import { type ContractError, isContractError } from "@foundry-mcp/contract";
import type { Edit } from "../../../files/json-text/edit.ts";
import type { ChangeContext, Plan } from "../change.ts";
import { blockTask } from "../changes/block-task.ts";
import { completeTask } from "../changes/complete-task.ts";
import { reopenTask } from "../changes/reopen-task.ts";
import { startTask } from "../changes/start-task.ts";
import { unblockTask } from "../changes/unblock-task.ts";
import { updateStatus } from "../changes/update-status.ts";
import { guardTask } from "../claims/claim-guard.ts";
import { isTaskNode } from "../find-node.ts";
import type { Lease } from "../lease.ts";
import { type NodeStatus, rootId } from "../spec-document.ts";
import type { SpecModel } from "../spec-model.ts";
import { type Loss, toLoss } from "./draft.ts";
import type { ImportProblem } from "./import-report.ts";
import type { DraftTarget } from "./match-draft.ts";

/** What the boxes of a draft make of a spec. */
export interface StatusSteps {
  readonly edits: readonly Edit[];
  readonly changed: readonly string[];
  readonly leases: Readonly<Record<string, Lease | null>>;
  readonly problems: readonly ImportProblem[];
  readonly losses: readonly Loss[];
}

interface StatusRequest {
  readonly id: string;
  readonly title: string;
  readonly to: NodeStatus;
  /** Where it stood before the import; undefined for a new one. */
  readonly from: NodeStatus | undefined;
  readonly line: number;
  readonly reason: string | undefined;
}

const reopened = "Unchecked in an imported Markdown document";
const blocked = "Marked as blocked in an imported Markdown document";

/**
 * Takes every task to where its box says, by the changes that are made for it: first back, then on. What new tasks
 * cannot be is told as a loss; what tasks that are there cannot become is a problem.
 */
export function statusSteps(
  before: SpecModel,
  after: SpecModel,
  targets: Iterable<DraftTarget>,
  context: ChangeContext,
): StatusSteps {
  let current = after;
  // What is counted once is handed on from step to step; else each of them would count everything.
  current.tally(rootId);
  const edits: Edit[] = [];
  const changed = new Set<string>();
  const [problems, losses]: [ImportProblem[], Loss[]] = [[], []];
  let leases: Readonly<Record<string, Lease | null>> = {};

  const attempt = (wish: StatusRequest, plan: Plan<unknown>): ContractError | undefined => {
    try {
      const change = guardTask(wish.id, {}, "import", plan)(current, context);
      if (change.edits.length === 0) return undefined;
      edits.push(...change.edits);
      current = current.after(change.edits);
      changed.add(wish.id);
      leases = { ...leases, ...change.leases };
      return undefined;
    } catch (error) {
      if (isContractError(error)) return error;
      throw error;
    }
  };
  const fail = (wish: StatusRequest, error: ContractError) => {
    if (wish.from === undefined)
      losses.push(toLoss(wish.line, wish.title, `It is not ${wish.to}, as its box says: ${error.message}`));
    else problems.push({ line: wish.line, task_id: wish.id, error });
  };
  const run = (wishes: readonly StatusRequest[], plan: (wish: StatusRequest) => Plan<unknown>) => {
    for (const wish of wishes) {
      const error = attempt(wish, plan(wish));
      if (error !== undefined) fail(wish, error);
    }
  };
  const statusOf = ({ id }: StatusRequest) => current.node(id)?.status;

  const wishes = toRequests(before, targets);
  const isOwn = ({ id }: StatusRequest) => {
    const node = current.node(id);
    return node !== undefined && isTaskNode(node) && current.isLeaf(node);
  };
  const own = wishes.filter((wish) => isOwn(wish) && statusOf(wish) !== wish.to);
  const back = own.filter((wish) => statusOf(wish) === "completed" || wish.to === "pending");
  run(back, (wish) => toPending(wish, statusOf(wish)));
  complete(
    own.filter(({ to }) => to === "completed"),
    attempt,
    fail,
  );
  run(
    own.filter(({ to }) => to === "in_progress"),
    (wish) =>
      statusOf(wish) === "blocked"
        ? unblockTask({ task_id: wish.id, to: "in_progress" })
        : startTask({ task_id: wish.id }),
  );
  run(
    own.filter(({ to }) => to === "blocked"),
    ({ id, reason = blocked }) => blockTask({ task_id: id, reason }),
  );
  // The box of a parent follows from what is below it: it may be as it was, or as it has become.
  const parents = wishes.filter(
    (wish) =>
      !isOwn(wish) &&
      wish.to !== wish.from &&
      wish.to !== statusOf(wish) &&
      !(wish.from === undefined && wish.to === "pending"),
  );
  run(parents, (wish) => toParentStatus(wish, statusOf(wish)));
  return { edits, changed: [...changed], leases, problems, losses };
}

function toRequests(before: SpecModel, targets: Iterable<DraftTarget>): readonly StatusRequest[] {
  return [...targets].flatMap(
    ({ id, isNew, draft: { title, status, line, fields } }): readonly StatusRequest[] => {
      const from = isNew ? undefined : before.node(id)?.status;
      if (status === undefined || status === from) return [];
      const reason = fields["blocker_description"];
      return [{ id, title, to: status, from, line, reason: typeof reason === "string" ? reason : undefined }];
    },
  );
}

function toPending({ id }: StatusRequest, from: NodeStatus | undefined): Plan<unknown> {
  if (from === "completed") return reopenTask({ task_id: id, reason: reopened });
  return from === "blocked" ? unblockTask({ task_id: id }) : updateStatus({ task_id: id, status: "pending" });
}

function toParentStatus(
  { id, to, reason = blocked }: StatusRequest,
  from: NodeStatus | undefined,
): Plan<unknown> {
  if (to === "blocked") return blockTask({ task_id: id, reason });
  if (to === "completed") return completeTask({ task_id: id });
  return from === "blocked" ? unblockTask({ task_id: id, to }) : updateStatus({ task_id: id, status: to });
}

/** Some may wait for others that are completed too: those are tried again, from the other end, while that helps. */
function complete(
  wishes: readonly StatusRequest[],
  attempt: (wish: StatusRequest, plan: Plan<unknown>) => ContractError | undefined,
  fail: (wish: StatusRequest, error: ContractError) => void,
): void {
  let waiting = wishes;
  for (let count = -1; count !== waiting.length; ) {
    count = waiting.length;
    const failed = waiting.flatMap((wish) => {
      const error = attempt(wish, completeTask({ task_id: wish.id }));
      return error === undefined ? [] : [{ wish, error }];
    });
    waiting = failed.map(({ wish }) => wish).reverse();
    if (failed.length === count) for (const { wish, error } of failed) fail(wish, error);
  }
}
