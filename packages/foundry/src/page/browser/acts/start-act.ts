import type { SpecNode } from "../../../specs/model/spec-model.ts";
import type { LoadedSpec } from "../state/spec-cache.ts";
import { openDialog } from "./dialogs.ts";
import { runQuickAct } from "./run-act.ts";
import { type StatusAct, statusActs, toStatusAct } from "./status-acts.ts";

/** Performs an act at once, or first asks the person for the text that the act needs. */
export function startAct(spec: LoadedSpec, node: SpecNode, act: StatusAct): void {
  if (statusActs[act].field === undefined) void runQuickAct(toStatusAct(spec, node, act));
  else openDialog.set({ kind: "status", specId: spec.id, taskId: node.id, act });
}
