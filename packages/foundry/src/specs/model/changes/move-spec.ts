import { ContractError, validationError } from "@foundry-mcp/contract";
import type { Plan } from "../change.ts";
import { listIds } from "../find-node.ts";
import { rootId, type SpecFolder } from "../spec-document.ts";
import { type Progress, progressOf, type SpecModel } from "../spec-model.ts";
import { requireText } from "../text-limits.ts";
import { requireMove } from "../transitions.ts";
import { unchanged } from "../unchanged.ts";
import { journalEdits } from "./add-journal-entry.ts";
import { finishChange } from "./finish-change.ts";

/** The folders that a spec moves between. */
export interface MoveSpecInput {
  readonly from: SpecFolder;
  readonly to: SpecFolder;
  /** Complete a spec although it has open tasks; requires a reason. @default false */
  readonly force?: boolean | undefined;
  readonly reason?: string | undefined;
}

/** The result of moving a spec. */
export interface MoveSpecResult {
  readonly spec_id: string;
  readonly title: string;
  /** The new folder, whose name is the new status of the spec. */
  readonly status: SpecFolder;
  readonly from_folder: SpecFolder;
  readonly to_folder: SpecFolder;
  readonly progress: Progress;
}

/** Moves a spec to another folder; the edits add a journal entry. */
export function moveSpec({ from, to, force = false, reason }: MoveSpecInput): Plan<MoveSpecResult> {
  return (spec, context) => {
    requireText("reason", reason);
    const progress = progressOf(spec.tally(rootId));
    const result: MoveSpecResult = {
      spec_id: spec.id,
      title: spec.title,
      status: to,
      from_folder: from,
      to_folder: to,
      progress,
    };
    if (from === to) return unchanged(result, `Spec "${spec.id}" is ${to} already; nothing was changed`);
    requireMove(spec.id, from, to);
    const isForced = to === "completed" && progress.percentage < 100;
    if (isForced) requireForce(spec, progress, force, reason);
    const entry = {
      entry_type: isForced ? ("decision" as const) : ("status_change" as const),
      title: `Spec moved from ${from} to ${to}`,
      content: reason || `The spec is ${to}, at ${progress.percentage} %.`,
    };
    return finishChange(spec, context, {
      edits: journalEdits(spec, entry, context),
      touched: [],
      result: () => result,
    });
  };
}

function requireForce(spec: SpecModel, progress: Progress, force: boolean, reason: string | undefined): void {
  if (force && reason !== undefined && reason.trim() !== "") return;
  if (force) {
    throw validationError(
      { field: "reason", constraint: "required", received: reason },
      { message: `Cannot complete spec "${spec.id}" by force: no reason was given` },
    );
  }
  const open = spec.orderedNodes.filter((node) => spec.isCounted(node) && node.status !== "completed");
  const state =
    progress.total === 0
      ? "it has no tasks"
      : `it is at ${progress.percentage} %, and ${open.length} of ${progress.total} tasks are open: ${listIds(open, 5)}`;
  throw new ContractError(`Cannot complete spec "${spec.id}": ${state}`, {
    errorCode: "INVALID_STATE",
    remediation: "Complete the open tasks: {1}; or complete the spec in spite of them: {2}.",
    remedy: [
      { tool: "task", action: "query", arguments: { spec_id: spec.id } },
      {
        tool: "lifecycle",
        action: "complete",
        arguments: { spec_id: spec.id, force: true },
        needs: ["reason"],
      },
    ],
    details: {
      spec_id: spec.id,
      progress,
      open_count: open.length,
      open: open.slice(0, 20).map(({ id, status }) => ({ task_id: id, status })),
    },
  });
}
