import { createWaitingCheck } from "../../../specs/model/readiness.ts";
import type { SpecModel, SpecNode } from "../../../specs/model/spec-model.ts";
import type { WorkState } from "../parts/status-mark.tsx";

const known = new WeakMap<SpecModel, ReadonlyMap<string, WorkState>>();

/** Returns the state of each task and phase of a spec. */
export function workStates(model: SpecModel): ReadonlyMap<string, WorkState> {
  let states = known.get(model);
  if (states === undefined) {
    const isWaiting = createWaitingCheck(model);
    states = new Map(model.orderedNodes.map((node) => [node.id, stateOf(node, isWaiting)]));
    known.set(model, states);
  }
  return states;
}

function stateOf({ id, status }: SpecNode, isWaiting: (id: string) => boolean): WorkState {
  if (status !== "pending") return status;
  return isWaiting(id) ? "waiting" : "ready";
}
