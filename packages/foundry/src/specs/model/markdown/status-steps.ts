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
import { type ImportProblem, type Loss, toLoss } from "./import-report.ts";
import type { DraftTarget } from "./match-draft.ts";

/** The changes that the checkboxes of a draft make to a spec. */
export interface StatusSteps {
  readonly edits: readonly Edit[];
  readonly changed: readonly string[];
  readonly leases: Readonly<Record<string, Lease | null>>;
  readonly problems: readonly ImportProblem[];
  readonly losses: readonly Loss[];
  /** Warnings about verify nodes that are started or completed before the verified work is done. */
  readonly warnings: readonly string[];
}

interface StatusRequest {
  readonly id: string;
  readonly title: string;
  readonly to: NodeStatus;
  /** The status of the task before the import; undefined for a new task. */
  readonly from: NodeStatus | undefined;
  readonly line: number;
  readonly reason: string | undefined;
}

const reopened = "Unchecked in an imported Markdown document";
const blocked = "Marked as blocked in an imported Markdown document";

/**
 * Sets every task to the status of its checkbox with the plans for status changes. Tasks that go back to
 * pending come first. If a status cannot be set, the result is a loss for a new task and a problem for an
 * existing task.
 */
export function statusSteps(
  before: SpecModel,
  after: SpecModel,
  targets: Iterable<DraftTarget>,
  context: ChangeContext,
): StatusSteps {
  let current = after;
  // The counts are computed once and then updated after each step. Otherwise, each step would count all
  // nodes.
  current.tally(rootId);
  const edits: Edit[] = [];
  const changed = new Set<string>();
  const [problems, losses, warnings]: [ImportProblem[], Loss[], string[]] = [[], [], []];
  let leases: Readonly<Record<string, Lease | null>> = {};

  const isVerify = ({ id }: StatusRequest) => current.node(id)?.type === "verify";
  // Journal entries are added to the edits at once, but to the spec only when they are needed: each addition copies the
  // whole journal.
  let entries: Edit[] = [];
  const addEntries = () => {
    current = current.after(entries);
    entries = [];
  };
  const apply = (made: readonly Edit[]) => {
    const before = entries.length;
    const all = made.map((edit) => (isEntry(edit) ? { ...edit, index: edit.index + before } : edit));
    edits.push(...all);
    entries.push(...all.filter(isEntry));
    current = current.after(all.filter((edit) => !isEntry(edit)));
  };
  const attempt = (request: StatusRequest, plan: Plan<unknown>): ContractError | undefined => {
    try {
      // The evidence of a verify node is compared with the journal.
      if (isVerify(request)) addEntries();
      const change = guardTask(request.id, {}, "import", plan)(current, context);
      if (change.edits.length === 0) return undefined;
      apply(change.edits);
      changed.add(request.id);
      warnings.push(...(change.warnings ?? []));
      leases = { ...leases, ...change.leases };
      return undefined;
    } catch (error) {
      if (isContractError(error)) return error;
      throw error;
    }
  };
  const fail = (request: StatusRequest, error: ContractError) => {
    if (request.from === undefined)
      losses.push(
        toLoss(request.line, request.title, `It is not ${request.to}, as its box says: ${error.message}`),
      );
    else problems.push({ line: request.line, task_id: request.id, error });
  };
  const run = (requests: readonly StatusRequest[], plan: (request: StatusRequest) => Plan<unknown>) => {
    for (const request of requests) {
      const error = attempt(request, plan(request));
      if (error !== undefined) fail(request, error);
    }
  };
  const statusOf = ({ id }: StatusRequest) => current.node(id)?.status;

  const requests = toRequests(before, targets);
  const isOwn = ({ id }: StatusRequest) => {
    const node = current.node(id);
    return node !== undefined && isTaskNode(node) && current.isLeaf(node);
  };
  const own = requests.filter((request) => isOwn(request) && statusOf(request) !== request.to);
  const back = own.filter((request) => statusOf(request) === "completed" || request.to === "pending");
  run(back, (request) => toPending(request, statusOf(request)));
  const towards = (status: NodeStatus) => own.filter(({ to }) => to === status);
  // Verify nodes come last, wherever they are in the document, because the same document may complete the
  // work that they verify.
  complete(
    towards("completed").toSorted((a, b) => Number(isVerify(a)) - Number(isVerify(b))),
    attempt,
    fail,
  );
  run(towards("in_progress"), (request) =>
    statusOf(request) === "blocked"
      ? unblockTask({ task_id: request.id, to: "in_progress" })
      : startTask({ task_id: request.id }),
  );
  run(towards("blocked"), ({ id, reason = blocked }) => blockTask({ task_id: id, reason }));
  // The status of a parent is derived from its children. The checkbox of a parent may show the status before
  // or after the import.
  const parents = requests.filter(
    (request) =>
      !isOwn(request) &&
      request.to !== request.from &&
      request.to !== statusOf(request) &&
      !(request.from === undefined && request.to === "pending"),
  );
  run(parents, (request) => toParentStatus(request, statusOf(request)));
  return { edits, changed: [...changed], leases, problems, losses, warnings };
}

/** True for the addition of an entry to an existing journal. */
function isEntry(edit: Edit): edit is Extract<Edit, { readonly op: "insert" }> {
  return edit.op === "insert" && edit.path.length === 1 && edit.path[0] === "journal";
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

/**
 * Completes tasks that may wait for one another. Failed tasks are tried again in reverse order, as long as
 * the number of failed tasks decreases.
 */
function complete(
  requests: readonly StatusRequest[],
  attempt: (request: StatusRequest, plan: Plan<unknown>) => ContractError | undefined,
  fail: (request: StatusRequest, error: ContractError) => void,
): void {
  let open = requests;
  for (let count = -1; count !== open.length; ) {
    count = open.length;
    const failed = open.flatMap((request) => {
      const error = attempt(request, completeTask({ task_id: request.id }));
      return error === undefined ? [] : [{ request, error }];
    });
    open = failed.map(({ request }) => request).reverse();
    if (failed.length === count) for (const { request, error } of failed) fail(request, error);
  }
}
