import { useState } from "preact/hooks";
import { rootId } from "../../../specs/model/spec-document.ts";
import { openDialog } from "../acts/dialogs.ts";
import { runAct } from "../acts/run-act.ts";
import { toText } from "../api/envelope.ts";
import { quoted } from "../parts/quoted.ts";
import { setQuery } from "../routes/current-route.ts";
import type { LoadedSpec } from "../state/spec-cache.ts";
import { ActForm } from "./act-form.tsx";
import { ChoiceField, FieldRow } from "./fields.tsx";
import { parentOptions } from "./parent-options.ts";
import { noTexts, TaskFields, toChangedFields } from "./task-fields.tsx";

/** Adds a task to a phase, or a subtask to a task. */
export function TaskForm({
  spec,
  parent,
}: {
  readonly spec: LoadedSpec;
  readonly parent: string | undefined;
}) {
  const options = parentOptions(spec.model, parent);
  const [chosen, setChosen] = useState(
    parent ??
      options.find(([id]) => spec.model.node(id)?.status !== "completed")?.[0] ??
      options[0]?.[0] ??
      rootId,
  );
  const [type, setType] = useState("task");
  const [texts, setTexts] = useState(noTexts);
  const [base] = useState(spec);
  if (options.length === 0)
    return (
      <ActForm
        title="Add a phase first"
        button="Add a phase"
        onSubmit={async () => {
          openDialog.set({ kind: "add-phase", specId: spec.id });
          return undefined;
        }}
      >
        <p>A task belongs to a phase, and this spec has none yet.</p>
      </ActForm>
    );
  const submit = async () => {
    const { title } = texts;
    const isSubtask = base.model.node(chosen)?.type === "task";
    const end = await runAct({
      tool: "task",
      args: {
        action: "add",
        parent: chosen,
        type: isSubtask && type === "task" ? "subtask" : type,
        ...toChangedFields(noTexts, texts),
      },
      base,
      about: [],
      title: `Add ${quoted(title)}`,
      sets: { title },
      done: `Added ${quoted(title)}`,
    });
    if (end.state === "done") setQuery({ task: toText(end.data["task_id"]) });
    return end;
  };
  return (
    <ActForm
      title={
        parent !== undefined && spec.model.node(parent)?.type === "task" ? "Add a subtask" : "Add a task"
      }
      button="Add"
      onSubmit={submit}
      isLarge
    >
      <FieldRow>
        <ChoiceField label="In" value={chosen} options={options} onChange={setChosen} />
        <ChoiceField
          label="Kind"
          value={type}
          onChange={setType}
          options={[
            ["task", "Task"],
            ["verify", "Verification of the phase"],
            ["research", "Research"],
          ]}
        />
      </FieldRow>
      <TaskFields model={spec.model} texts={texts} onChange={setTexts} />
    </ActForm>
  );
}
