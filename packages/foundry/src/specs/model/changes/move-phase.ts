import type { Plan } from "../change.ts";
import { requireNode, requirePhase } from "../find-node.ts";
import { rootId } from "../spec-document.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";
import { unchanged } from "../unchanged.ts";
import { finishChange } from "./finish-change.ts";
import { moveEdits } from "./move-task.ts";
import { requirePosition } from "./new-node.ts";
import {
  chainEdits,
  closeChain,
  isChained,
  joinChain,
  type LinkChange,
  type Neighbours,
  neighboursOf,
  netChanges,
} from "./phase-chain.ts";

/** The phase to move and its new position. */
export interface MovePhaseInput {
  readonly phase_id: string;
  /** The index of the phase among the other phases, counted from 0. @default the end */
  readonly position?: number | undefined;
  /**
   * Insert the phase into the chain of dependencies at its new position. The moved phase then waits for the previous
   * phase, and the next phase waits for the moved phase. False leaves all dependencies unchanged.
   * @default true if the phase is part of a chain before the move
   */
  readonly link_previous?: boolean | undefined;
}

/** The result of moving a phase. */
export interface MovePhaseResult {
  readonly spec_id: string;
  readonly phase_id: string;
  readonly title: string;
  readonly old_position: number;
  readonly new_position: number;
  /** The id of the previous phase if the moved phase waits for it, else null. */
  readonly linked_previous: string | null;
  readonly dependencies_updated: readonly LinkChange[];
}

/** Moves a phase, with its tasks, to another position in the order of work. */
export function movePhase({ phase_id, position, link_previous }: MovePhaseInput): Plan<MovePhaseResult> {
  return (spec, context) => {
    const phase = requirePhase(spec, phase_id, "move");
    const root = requireNode(spec, rootId);
    const index = requirePosition(position, root.children.filter((id) => id !== phase_id).length);
    const oldIndex = root.children.indexOf(phase_id);
    const old = neighboursOf(spec, phase_id);
    const isLinked = link_previous ?? isChained(phase, old);
    const moves = oldIndex === index && phase.parent === rootId ? [] : moveEdits(spec, phase, root, index);
    const moved = spec.after(moves);
    const updated = isLinked ? linkChanges(moved, phase, old) : [];
    const edits = [...moves, ...chainEdits(moved, updated)];
    const before = neighboursOf(moved, phase_id).previous?.id;
    const result = (waits: readonly string[]): MovePhaseResult => ({
      spec_id: spec.id,
      phase_id,
      title: phase.title,
      old_position: oldIndex,
      new_position: index,
      linked_previous: before !== undefined && waits.includes(before) ? before : null,
      dependencies_updated: updated,
    });
    if (edits.length === 0)
      return unchanged(
        result(phase.blockedBy),
        `${phase_id} is at position ${index} already; nothing was changed`,
      );
    return finishChange(spec, context, {
      edits,
      touched: [phase_id, ...(phase.parent === null ? [] : [phase.parent])],
      result: (after) => result(requireNode(after, phase_id).blockedBy),
    });
  };
}

/**
 * Computes the links that change when a phase leaves its chain and joins the chain at its new position.
 * Changes that cancel each other out are dropped.
 */
function linkChanges(moved: SpecModel, phase: SpecNode, old: Neighbours): readonly LinkChange[] {
  const current = neighboursOf(moved, phase.id);
  const hasSameNeighbours = current.previous?.id === old.previous?.id && current.next?.id === old.next?.id;
  const wasChained = isChained(phase, old);
  if (hasSameNeighbours && wasChained) return [];
  const left = closeChain(phase, old);
  const between = moved.after(chainEdits(moved, left));
  const joined = joinChain(requireNode(between, phase.id), neighboursOf(between, phase.id), wasChained);
  return netChanges([...left, ...joined]);
}
