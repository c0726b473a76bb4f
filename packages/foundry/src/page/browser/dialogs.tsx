import { closeDialog, openDialog } from "./acts/dialogs.ts";
import { DependencyForm } from "./forms/dependency-form.tsx";
import { EditSpecForm } from "./forms/edit-spec-form.tsx";
import { EditTaskForm } from "./forms/edit-task-form.tsx";
import { MoveTaskForm } from "./forms/move-task-form.tsx";
import { NewSpecForm } from "./forms/new-spec-form.tsx";
import { PhaseForm } from "./forms/phase-form.tsx";
import { DeleteSpecForm, RemoveTaskForm } from "./forms/remove-forms.tsx";
import { StatusForm } from "./forms/status-form.tsx";
import { TaskForm } from "./forms/task-form.tsx";
import { KeysDialog } from "./keys-dialog.tsx";
import { Palette } from "./palette/palette.tsx";
import { type LoadedSpec, specStore } from "./state/spec-cache.ts";
import { useStore } from "./state/store.ts";

/** The dialog that is open. */
export function Dialogs() {
  const open = useStore(openDialog);
  if (open === undefined) return null;
  if (open.kind === "palette") return <Palette />;
  if (open.kind === "keys") return <KeysDialog />;
  if (open.kind === "new-spec") return <NewSpecForm />;
  const spec = specStore(open.specId).get().spec;
  if (spec === undefined) return null;
  // The form keeps the spec as it was when the person opened it: that is what they saw when they decided.
  return <SpecDialog key={JSON.stringify(open)} spec={spec} />;
}

function SpecDialog({ spec }: { readonly spec: LoadedSpec }) {
  const open = openDialog.get();
  switch (open?.kind) {
    case "add-phase":
      return <PhaseForm spec={spec} />;
    case "add-task":
      return <TaskForm spec={spec} parent={open.parent} />;
    case "edit-spec":
      return <EditSpecForm spec={spec} />;
    case "delete-spec":
      return <DeleteSpecForm spec={spec} />;
    case "status":
    case "edit-task":
    case "move-task":
    case "remove-task":
    case "add-dependency": {
      const node = spec.model.node(open.taskId);
      if (node === undefined) {
        closeDialog();
        return null;
      }
      if (open.kind === "status") return <StatusForm spec={spec} node={node} act={open.act} />;
      if (open.kind === "edit-task") return <EditTaskForm spec={spec} node={node} />;
      if (open.kind === "move-task") return <MoveTaskForm spec={spec} node={node} />;
      if (open.kind === "remove-task") return <RemoveTaskForm spec={spec} node={node} />;
      return <DependencyForm spec={spec} node={node} />;
    }
    default:
      return null;
  }
}
