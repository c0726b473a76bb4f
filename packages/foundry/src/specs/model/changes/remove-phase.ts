import { ContractError } from "@foundry-mcp/contract";
import type { Plan } from "../change.ts";
import { isTaskNode, listIds, requirePhase } from "../find-node.ts";
import { highestNumbers } from "../new-ids.ts";
import { rootId } from "../spec-document.ts";
import { type Progress, progressOf, type SpecModel, type SpecNode } from "../spec-model.ts";
import { finishChange } from "./finish-change.ts";
import { chainEdits, closeChain, neighboursOf, type PhaseLink } from "./phase-chain.ts";
import { removalEdits } from "./remove-task.ts";

/** The phase to remove. */
export interface RemovePhaseInput {
  readonly phase_id: string;
  /** Also remove a phase with open tasks. @default false */
  readonly force?: boolean | undefined;
}

/** The result of removing a phase. */
export interface RemovePhaseResult {
  readonly spec_id: string;
  readonly phase_id: string;
  readonly title: string;
  readonly children_removed: number;
  /** The number of removed tasks that counted towards progress. */
  readonly total_tasks_removed: number;
  readonly completed_tasks_removed: number;
  /** The ids of removed nodes, at most a hundred. Removed ids are never reused. */
  readonly removed: readonly string[];
  readonly dependencies_removed: number;
  /** The new dependency between the phases before and after the removed phase; null if there is none. */
  readonly relinked: PhaseLink | null;
  readonly progress: Progress;
}

const maxReportedIds = 100;

/**
 * Removes a phase with its tasks and every dependency on them. If the phase was part of a chain, the phases
 * before and after it are linked to each other.
 */
export function removePhase({ phase_id, force = false }: RemovePhaseInput): Plan<RemovePhaseResult> {
  return (spec, context) => {
    const phase = requirePhase(spec, phase_id, "remove");
    if (!force) requireDone(spec, phase);
    const { edits, removed, listers, dependencies } = removalEdits(spec, phase_id);
    const links = closeChain(phase, neighboursOf(spec, phase_id)).filter(({ change }) => change === "added");
    const tally = spec.tally(phase_id);
    const [link] = links;
    return finishChange(spec, context, {
      edits: [...edits, ...chainEdits(spec.after(edits), links)],
      touched: [phase_id, ...listers],
      marks: highestNumbers(removed),
      result: (after) => ({
        spec_id: spec.id,
        phase_id,
        title: phase.title,
        children_removed: removed.size - 1,
        total_tasks_removed: tally.total,
        completed_tasks_removed: tally.completed,
        removed: [...removed].slice(0, maxReportedIds),
        dependencies_removed: dependencies,
        relinked: link === undefined ? null : { phase_id: link.phase_id, depends_on: link.depends_on },
        progress: progressOf(after.tally(rootId)),
      }),
    });
  };
}

function requireDone(spec: SpecModel, phase: SpecNode): void {
  const below = [...spec.subtree(phase.id)].flatMap((id) => spec.node(id) ?? []);
  const open = below.filter((node) => isTaskNode(node) && spec.isLeaf(node) && node.status !== "completed");
  if (open.length === 0) return;
  throw new ContractError(
    `Cannot remove ${phase.id}: ${open.length} of the tasks in it are not done: ${listIds(open, 5)}`,
    {
      errorCode: "INVALID_STATE",
      remediation: "Remove them too: {1}; or move them elsewhere first: {2}.",
      remedy: [
        {
          tool: "authoring",
          action: "phase-remove",
          arguments: { spec_id: spec.id, phase_id: phase.id, force: true, confirm: true },
        },
        {
          tool: "task",
          action: "move",
          arguments: { spec_id: spec.id, task_id: open[0]?.id },
          needs: ["parent"],
        },
      ],
      details: {
        phase_id: phase.id,
        open_count: open.length,
        open: open.slice(0, 20).map(({ id, status }) => ({ task_id: id, status })),
      },
    },
  );
}
