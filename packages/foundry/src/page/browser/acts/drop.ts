import type { SpecNode } from "../../../specs/model/spec-model.ts";
import { phaseLookup } from "../model/filter.ts";
import { workStates } from "../model/work-states.ts";
import type { WorkState } from "../parts/status-mark.tsx";
import type { LoadedSpec } from "../state/spec-cache.ts";
import { runQuickAct } from "./run-act.ts";
import { startAct } from "./start-act.ts";
import { actTo } from "./status-acts.ts";
import { toMove } from "./task-edits.ts";

/** The place on the board where a task was dropped. */
export interface DropTarget {
  readonly state: WorkState;
  readonly phase?: string | undefined;
}

/**
 * True if a task can be dropped in a column: the status of the task allows the change, or the drop only changes the
 * phase.
 */
export function canDrop(spec: LoadedSpec, node: SpecNode, { state }: DropTarget): boolean {
  if (workStates(spec.model).get(node.id) === state) return true;
  // Dependencies decide whether a task waits, so nothing can be dropped in the column of waiting tasks.
  if (state === "waiting") return false;
  return actTo(spec, node, state === "ready" ? "pending" : state) !== undefined;
}

/**
 * Makes the change that a drop requests: a change of the status in another column, or of the phase in the same
 * column.
 */
export async function runDrop(spec: LoadedSpec, node: SpecNode, target: DropTarget): Promise<void> {
  if (!canDrop(spec, node, target)) return;
  const { state, phase } = target;
  if (workStates(spec.model).get(node.id) === state) {
    const own = phaseLookup(spec.model)(node.id)?.id;
    if (phase !== undefined && phase !== own) await runQuickAct(toMove(spec, node, phase));
    return;
  }
  const act = actTo(spec, node, state === "ready" || state === "waiting" ? "pending" : state);
  if (act !== undefined) startAct(spec, node, act);
}
