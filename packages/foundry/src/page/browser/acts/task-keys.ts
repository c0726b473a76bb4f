import type { SpecNode } from "../../../specs/model/spec-model.ts";
import { canWrite } from "../state/session.ts";
import type { LoadedSpec } from "../state/spec-cache.ts";
import { openDialog } from "./dialogs.ts";
import { startAct } from "./start-act.ts";
import { actsOf, statusActs } from "./status-acts.ts";
import { moveBy } from "./task-edits.ts";

/** Handles a key that was pressed while a task had the focus. Returns true if the key has a function. */
export function handleTaskKey(event: KeyboardEvent, spec: LoadedSpec, node: SpecNode): boolean {
  if (event.ctrlKey || event.metaKey || !canWrite()) return false;
  const on = { specId: spec.id, taskId: node.id };
  if (event.altKey) {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return false;
    void moveBy(spec, node, event.key === "ArrowUp" ? -1 : 1);
    return true;
  }
  const act = actsOf(spec, node).find((each) => statusActs[each].key === event.key);
  if (act !== undefined) startAct(spec, node, act);
  else if (event.key === "e") openDialog.set({ kind: "edit-task", ...on });
  else if (event.key === "m") openDialog.set({ kind: "move-task", ...on });
  else if (event.key === "Delete") openDialog.set({ kind: "remove-task", ...on });
  else return false;
  return true;
}
