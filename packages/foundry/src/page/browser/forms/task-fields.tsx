import type { UnknownRecord } from "@foundry-mcp/contract";
import { priorities, taskCategories } from "../../../specs/model/known-values.ts";
import type { SpecModel, SpecNode } from "../../../specs/model/spec-model.ts";
import { toList, toText } from "../api/envelope.ts";
import { filterValues } from "../model/filter.ts";
import { AreaField, ChoiceField, FieldRow, TextField } from "./fields.tsx";

/** The fields of a task as the form holds them: texts, whatever their type in the file. */
export interface TaskTexts {
  readonly title: string;
  readonly description: string;
  readonly acceptance_criteria: string;
  readonly owner: string;
  readonly labels: string;
  readonly priority: string;
  readonly task_category: string;
  readonly estimated_hours: string;
  readonly file_path: string;
}

/** The fields of a new task. */
export const noTexts: TaskTexts = {
  title: "",
  description: "",
  acceptance_criteria: "",
  owner: "",
  labels: "",
  priority: "",
  task_category: "",
  estimated_hours: "",
  file_path: "",
};

/** Returns the fields of a task. */
export function toTexts({ title, metadata, raw }: SpecNode): TaskTexts {
  const listOf = (name: string) => toList(metadata[name]).filter((each) => typeof each === "string");
  const hours = metadata["estimated_hours"];
  return {
    title,
    description: toText(metadata["description"]) || toText(raw["description"]),
    acceptance_criteria: listOf("acceptance_criteria").join("\n"),
    owner: toText(metadata["owner"]),
    labels: listOf("labels").join(", "),
    priority: toText(metadata["priority"]),
    task_category: toText(metadata["task_category"]),
    estimated_hours: typeof hours === "number" ? String(hours) : "",
    file_path: toText(metadata["file_path"]),
  };
}

/** Returns the arguments for the fields that differ. An emptied field is removed, where the tool takes no empty value. */
export function toChangedFields(before: TaskTexts, after: TaskTexts): UnknownRecord {
  const changed: Record<string, unknown> = {};
  const removed: Record<string, null> = {};
  for (const name of Object.keys(after) as (keyof TaskTexts)[]) {
    if (after[name] === before[name]) continue;
    const text = after[name].trim();
    if (name === "acceptance_criteria")
      changed[name] = after[name]
        .split("\n")
        .map((each) => each.trim())
        .filter((each) => each !== "");
    else if (name === "labels") changed[name] = toLabels(text);
    else if (text === "" && (name === "priority" || name === "task_category" || name === "estimated_hours"))
      removed[name] = null;
    else if (name === "estimated_hours") changed[name] = Number(text.replace(",", "."));
    else changed[name] = text;
  }
  return { ...changed, ...(Object.keys(removed).length === 0 ? {} : { metadata: removed }) };
}

/** Splits labels at commas. */
export function toLabels(text: string): readonly string[] {
  return [
    ...new Set(
      text
        .split(",")
        .map((each) => each.trim())
        .filter((each) => each !== ""),
    ),
  ];
}

/** The fields of a task in a form. */
export function TaskFields({
  model,
  texts,
  onChange,
}: {
  readonly model: SpecModel;
  readonly texts: TaskTexts;
  readonly onChange: (texts: TaskTexts) => void;
}) {
  const set = (name: keyof TaskTexts) => (value: string) => onChange({ ...texts, [name]: value });
  const values = filterValues(model);
  return (
    <>
      <TextField label="Title" value={texts.title} onChange={set("title")} isRequired isFirst />
      <AreaField label="What to do" value={texts.description} onChange={set("description")} />
      <AreaField
        label="Done when"
        value={texts.acceptance_criteria}
        onChange={set("acceptance_criteria")}
        hint="One criterion per line"
        rows={3}
      />
      <FieldRow>
        <TextField
          label="Owner"
          value={texts.owner}
          onChange={set("owner")}
          list={[...values.owner.keys()]}
        />
        <TextField
          label="Labels"
          value={texts.labels}
          onChange={set("labels")}
          hint="Separated by commas"
          list={[...values.label.keys()]}
        />
      </FieldRow>
      <FieldRow>
        <ChoiceField
          label="Priority"
          value={texts.priority}
          onChange={set("priority")}
          options={[["", "None (medium)"], ...priorities.map((each) => [each, each] as const)]}
        />
        <ChoiceField
          label="Category"
          value={texts.task_category}
          onChange={set("task_category")}
          options={[["", "None"], ...taskCategories.map((each) => [each, each] as const)]}
        />
        <TextField
          label="Estimate in hours"
          value={texts.estimated_hours}
          onChange={set("estimated_hours")}
        />
      </FieldRow>
      <TextField label="File" value={texts.file_path} onChange={set("file_path")} />
    </>
  );
}
