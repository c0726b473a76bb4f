import { useState } from "preact/hooks";
import type { SpecNode } from "../../../specs/model/spec-model.ts";
import { runAct } from "../acts/run-act.ts";
import { toUpdate } from "../acts/task-edits.ts";
import type { LoadedSpec } from "../state/spec-cache.ts";
import { ActForm } from "./act-form.tsx";
import { TaskFields, toChangedFields, toTexts } from "./task-fields.tsx";

/** Edits the fields of a task. Only the fields that were changed are sent. */
export function EditTaskForm({ spec, node }: { readonly spec: LoadedSpec; readonly node: SpecNode }) {
  const [base] = useState({ spec, node });
  const [before] = useState(() => toTexts(node));
  const [texts, setTexts] = useState(before);
  const submit = async () => {
    const fields = toChangedFields(before, texts);
    if (Object.keys(fields).length === 0) return { state: "done", data: {} } as const;
    return runAct(toUpdate(base.spec, base.node, fields));
  };
  return (
    <ActForm title={`Edit ${node.id}`} button="Save" onSubmit={submit} isLarge>
      <TaskFields model={base.spec.model} texts={texts} onChange={setTexts} />
    </ActForm>
  );
}
