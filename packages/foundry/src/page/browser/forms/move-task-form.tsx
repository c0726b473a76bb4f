import { useState } from "preact/hooks";
import type { SpecNode } from "../../../specs/model/spec-model.ts";
import { runAct } from "../acts/run-act.ts";
import { toMove } from "../acts/task-edits.ts";
import { Text } from "../parts/text.tsx";
import { shortText } from "../parts/visible-text.ts";
import type { LoadedSpec } from "../state/spec-cache.ts";
import { ActForm } from "./act-form.tsx";
import { ChoiceField } from "./fields.tsx";
import { parentOptions } from "./parent-options.ts";

/** Moves a task to another phase, or to another place in its phase. */
export function MoveTaskForm({ spec, node }: { readonly spec: LoadedSpec; readonly node: SpecNode }) {
  const [base] = useState({ spec, node });
  const { model } = base.spec;
  const [parent, setParent] = useState(node.parent ?? "");
  const siblings = (model.node(parent)?.children ?? []).filter((id) => id !== node.id);
  const own = model.node(parent)?.children.indexOf(node.id) ?? -1;
  const [place, setPlace] = useState(own === -1 ? "" : String(own));
  const isSame = parent === node.parent && place === String(own);
  const submit = async () =>
    isSame
      ? ({ state: "done", data: {} } as const)
      : runAct(toMove(base.spec, base.node, parent, place === "" ? undefined : Number(place)));
  return (
    <ActForm title="Move this task" button="Move" onSubmit={submit}>
      <p class="form-subject">
        <Text text={node.title} max={300} />
      </p>
      <ChoiceField
        label="To"
        value={parent}
        options={parentOptions(model, node.parent ?? undefined).filter(([id]) => id !== node.id)}
        onChange={(value) => {
          setParent(value);
          setPlace("");
        }}
        isFirst
      />
      <ChoiceField
        label="Place"
        value={place}
        onChange={setPlace}
        options={[
          ...siblings
            .slice(0, 300)
            .map(
              (id, index) => [String(index), `Before ${shortText(model.node(id)?.title ?? id, 60)}`] as const,
            ),
          [siblings.length === own ? String(own) : "", "At the end"],
        ]}
      />
    </ActForm>
  );
}
