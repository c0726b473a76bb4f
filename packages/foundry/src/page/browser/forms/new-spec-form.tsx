import { useState } from "preact/hooks";
import { createSpec } from "../acts/run-act.ts";
import { toText } from "../api/envelope.ts";
import { go } from "../routes/current-route.ts";
import { specHash } from "../routes/route.ts";
import { ActForm } from "./act-form.tsx";
import { AreaField, TextField } from "./fields.tsx";

/** Creates a spec, with the phases that the person already knows. */
export function NewSpecForm() {
  const [name, setName] = useState("");
  const [mission, setMission] = useState("");
  const [phases, setPhases] = useState("");
  const [isActive, setActive] = useState(true);
  const submit = async () => {
    const titles = phases
      .split("\n")
      .map((each) => each.trim())
      .filter((each) => each !== "");
    const end = await createSpec({
      name: name.trim(),
      status: isActive ? "active" : "pending",
      ...(mission.trim() === "" ? {} : { mission: mission.trim() }),
      ...(titles.length === 0 ? {} : { phases: titles.map((title) => ({ title })) }),
    });
    if (end.state === "done") go(specHash(toText(end.data["spec_id"])));
    return end;
  };
  return (
    <ActForm title="New spec" button="Create" onSubmit={submit}>
      <TextField label="Title" value={name} onChange={setName} isRequired isFirst />
      <TextField label="Goal" value={mission} onChange={setMission} hint="What is true when it is done" />
      <AreaField
        label="Phases"
        value={phases}
        onChange={setPhases}
        hint="One title per line. Each phase waits for the one before it."
        rows={3}
      />
      <label class="check">
        <input type="checkbox" checked={isActive} onChange={() => setActive(!isActive)} />
        Start right away: agents find tasks of active specs only
      </label>
    </ActForm>
  );
}
