import { useState } from "preact/hooks";
import { runAct } from "../acts/run-act.ts";
import { quoted } from "../parts/quoted.ts";
import type { LoadedSpec } from "../state/spec-cache.ts";
import { ActForm } from "./act-form.tsx";
import { TextField } from "./fields.tsx";

/** Adds a phase at the end of a spec. */
export function PhaseForm({ spec }: { readonly spec: LoadedSpec }) {
  const [base] = useState(spec);
  const [title, setTitle] = useState("");
  const [purpose, setPurpose] = useState("");
  const [isLinked, setLinked] = useState(true);
  const hasPhases = base.model.phases.length > 0;
  const submit = () =>
    runAct({
      tool: "authoring",
      args: {
        action: "phase-add",
        title: title.trim(),
        ...(purpose.trim() === "" ? {} : { purpose: purpose.trim() }),
        ...(hasPhases ? { link_previous: isLinked } : {}),
      },
      base,
      about: [],
      title: `Add the phase ${quoted(title)}`,
      sets: { title },
      done: `Added the phase ${quoted(title)}`,
    });
  return (
    <ActForm title="Add a phase" button="Add" onSubmit={submit}>
      <TextField label="Title" value={title} onChange={setTitle} isRequired isFirst />
      <TextField label="Goal of the phase" value={purpose} onChange={setPurpose} />
      {hasPhases && (
        <label class="check">
          <input type="checkbox" checked={isLinked} onChange={() => setLinked(!isLinked)} />
          Waits until the phase before it is completed
        </label>
      )}
    </ActForm>
  );
}
