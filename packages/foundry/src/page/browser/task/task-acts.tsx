import type { SpecNode } from "../../../specs/model/spec-model.ts";
import { openDialog } from "../acts/dialogs.ts";
import { startAct } from "../acts/start-act.ts";
import { actsOf, statusActs } from "../acts/status-acts.ts";
import { Icon } from "../parts/icon.tsx";
import type { LoadedSpec } from "../state/spec-cache.ts";

/** The buttons for what a task takes in its status. */
export function TaskActs({
  spec,
  node,
  isWaiting,
}: {
  readonly spec: LoadedSpec;
  readonly node: SpecNode;
  readonly isWaiting: boolean;
}) {
  const acts = actsOf(spec, node);
  // The next step of the task comes first. A task that waits can be started, but not completed.
  const next = isWaiting ? undefined : node.status === "in_progress" ? "complete" : acts[0];
  return (
    <div class="task-acts">
      {acts
        .filter((act) => !(isWaiting && act === "complete"))
        .toSorted((a, b) => Number(b === next) - Number(a === next))
        .map((act) => (
          <button
            key={act}
            type="button"
            class={act === next ? "primary" : ""}
            title={`${statusActs[act].verb} (${statusActs[act].key})`}
            onClick={() => startAct(spec, node, act)}
          >
            {statusActs[act].verb}
          </button>
        ))}
      <button
        type="button"
        title="Edit (e)"
        onClick={() => openDialog.set({ kind: "edit-task", specId: spec.id, taskId: node.id })}
      >
        <Icon name="edit" />
        Edit
      </button>
    </div>
  );
}
