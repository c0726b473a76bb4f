import { useState } from "preact/hooks";
import { priorities } from "../../../specs/model/known-values.ts";
import { rootId } from "../../../specs/model/spec-document.ts";
import { runAct } from "../acts/run-act.ts";
import { toList, toText } from "../api/envelope.ts";
import { quoted } from "../parts/quoted.ts";
import type { LoadedSpec } from "../state/spec-cache.ts";
import { ActForm } from "./act-form.tsx";
import { AreaField, ChoiceField, FieldRow, TextField } from "./fields.tsx";
import { toLabels } from "./task-fields.tsx";

/** Edits the title and the other fields of a spec. */
export function EditSpecForm({ spec }: { readonly spec: LoadedSpec }) {
  const [base] = useState(spec);
  const { metadata } = base.model;
  const [before] = useState({
    title: base.model.title,
    mission: toText(metadata["mission"]),
    description: toText(metadata["description"]),
    owner: toText(metadata["owner"]),
    labels: toList(metadata["labels"])
      .filter((each) => typeof each === "string")
      .join(", "),
    priority: toText(metadata["priority"]),
  });
  const [texts, setTexts] = useState(before);
  const set = (name: keyof typeof before) => (value: string) => setTexts({ ...texts, [name]: value });
  const submit = async () => {
    const fields: Record<string, unknown> = {};
    for (const name of Object.keys(texts) as (keyof typeof before)[]) {
      if (texts[name] === before[name]) continue;
      if (name === "labels") fields["labels"] = toLabels(texts.labels);
      else if (name === "priority" && texts.priority === "") fields["metadata"] = { priority: null };
      else fields[name] = texts[name].trim();
    }
    if (Object.keys(fields).length === 0) return { state: "done", data: {} } as const;
    return runAct({
      tool: "authoring",
      args: { action: "spec-update", ...fields },
      base,
      about: [rootId],
      title: `Edit ${quoted(base.model.title)}`,
      sets: fields,
      done: `Changed ${quoted(texts.title)}`,
    });
  };
  return (
    <ActForm title="Edit the spec" button="Save" onSubmit={submit} isLarge>
      <TextField label="Title" value={texts.title} onChange={set("title")} isRequired isFirst />
      <TextField label="Goal" value={texts.mission} onChange={set("mission")} />
      <AreaField label="About" value={texts.description} onChange={set("description")} />
      <FieldRow>
        <TextField label="Owner" value={texts.owner} onChange={set("owner")} />
        <TextField label="Labels" value={texts.labels} onChange={set("labels")} hint="Separated by commas" />
        <ChoiceField
          label="Priority"
          value={texts.priority}
          onChange={set("priority")}
          options={[["", "None (medium)"], ...priorities.map((each) => [each, each] as const)]}
        />
      </FieldRow>
    </ActForm>
  );
}
