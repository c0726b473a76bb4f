import { useState } from "preact/hooks";
import type { SpecNode } from "../../../specs/model/spec-model.ts";
import { runAct } from "../acts/run-act.ts";
import { toDependency } from "../acts/task-edits.ts";
import { Text } from "../parts/text.tsx";
import { shortText } from "../parts/visible-text.ts";
import type { LoadedSpec } from "../state/spec-cache.ts";
import { ActForm } from "./act-form.tsx";
import { TextField } from "./fields.tsx";

const maxFound = 8;

/** Lets a task wait for another task or phase. */
export function DependencyForm({ spec, node }: { readonly spec: LoadedSpec; readonly node: SpecNode }) {
  const [base] = useState({ spec, node });
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<string>();
  const found = find(base.spec, base.node, text);
  const target = chosen ?? (found.length === 1 ? found[0]?.id : undefined);
  const submit = async () =>
    target === undefined ? undefined : runAct(toDependency(base.spec, base.node, target, "add"));
  return (
    <ActForm title="Wait for another task" button="Add dependency" onSubmit={submit}>
      <p class="form-subject">
        <Text text={node.title} max={300} />
      </p>
      <TextField
        label="Waits for"
        value={text}
        onChange={(value) => {
          setText(value);
          setChosen(undefined);
        }}
        hint="Type an id, or words of the title"
        isRequired
        isFirst
      />
      <div class="choices" role="radiogroup" aria-label="Tasks found">
        {found.map(({ id, title }) => (
          <label key={id} class="check">
            <input type="radio" name="dependency" checked={target === id} onChange={() => setChosen(id)} />
            <span>
              {shortText(title, 100)} <span class="task-id">{shortText(id, 40)}</span>
            </span>
          </label>
        ))}
        {text !== "" && found.length === 0 && <p class="quiet">No task or phase matches.</p>}
      </div>
    </ActForm>
  );
}

function find({ model }: LoadedSpec, node: SpecNode, text: string): readonly SpecNode[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return [];
  const found: SpecNode[] = [];
  for (const other of model.orderedNodes) {
    if (other.id === node.id || node.blockedBy.includes(other.id)) continue;
    if (!words.every((word) => `${other.id} ${other.title}`.toLowerCase().includes(word))) continue;
    if (other.id.toLowerCase() === text.toLowerCase().trim()) return [other];
    if (found.length < maxFound) found.push(other);
  }
  return found;
}
