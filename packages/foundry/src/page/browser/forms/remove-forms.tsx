import { useState } from "preact/hooks";
import type { SpecNode } from "../../../specs/model/spec-model.ts";
import { runAct } from "../acts/run-act.ts";
import { deleteSpec } from "../acts/spec-acts.ts";
import { quoted } from "../parts/quoted.ts";
import { Text } from "../parts/text.tsx";
import { setQuery } from "../routes/current-route.ts";
import type { LoadedSpec } from "../state/spec-cache.ts";
import { ActForm } from "./act-form.tsx";

/** Removes a task. It can be undone, so that one question is enough. */
export function RemoveTaskForm({ spec, node }: { readonly spec: LoadedSpec; readonly node: SpecNode }) {
  const [base] = useState(spec);
  const below = base.model.subtree(node.id).size - 1;
  const submit = async () => {
    const end = await runAct({
      tool: "task",
      args: { action: "remove", task_id: node.id, confirm: true, ...(below > 0 ? { cascade: true } : {}) },
      base,
      about: [node.id],
      title: `Remove ${quoted(node.title)}`,
      sets: { task: "removed" },
      done: `Removed ${quoted(node.title)}`,
    });
    if (end.state === "done") setQuery({ task: "" });
    return end;
  };
  return (
    <ActForm title="Remove this task?" button="Remove" onSubmit={submit} isDangerous>
      <p class="form-subject">
        <Text text={node.title} max={300} />
      </p>
      <p>{below > 0 ? `Its ${below} subtasks are removed with it. ` : ""}You can undo this.</p>
    </ActForm>
  );
}

/** Moves a spec to the trash. */
export function DeleteSpecForm({ spec }: { readonly spec: LoadedSpec }) {
  const submit = async () =>
    (await deleteSpec(spec)) ? ({ state: "done", data: {} } as const) : ({ state: "dropped" } as const);
  return (
    <ActForm title="Delete this spec?" button="Move to the trash" onSubmit={submit} isDangerous>
      <p class="form-subject">
        <Text text={spec.model.title} max={300} />
      </p>
      <p>The trash keeps it with its history, and you can restore it from there.</p>
    </ActForm>
  );
}
