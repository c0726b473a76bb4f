import { useState } from "preact/hooks";
import { blockerTypes } from "../../../specs/model/known-values.ts";
import type { SpecNode } from "../../../specs/model/spec-model.ts";
import { runAct } from "../acts/run-act.ts";
import { type StatusAct, statusActs, toStatusAct } from "../acts/status-acts.ts";
import { toList } from "../api/envelope.ts";
import { LongText } from "../parts/long-text.tsx";
import { Text } from "../parts/text.tsx";
import type { LoadedSpec } from "../state/spec-cache.ts";
import { ActForm } from "./act-form.tsx";
import { AreaField, ChoiceField, FieldRow, TextField } from "./fields.tsx";

/** Asks for the text that a change of status takes: a note or a reason. */
export function StatusForm({
  spec,
  node,
  act,
}: {
  readonly spec: LoadedSpec;
  readonly node: SpecNode;
  readonly act: StatusAct;
}) {
  const [base] = useState({ spec, node });
  const [text, setText] = useState("");
  const [type, setType] = useState("");
  const [ticket, setTicket] = useState("");
  const { verb, field } = statusActs[act];
  const criteria = act === "complete" ? toList(node.metadata["acceptance_criteria"]).map(String) : [];
  const submit = () => {
    const { args, ...rest } = toStatusAct(base.spec, base.node, act, text.trim());
    const more = {
      ...(type === "" ? {} : { blocker_type: type }),
      ...(ticket.trim() === "" ? {} : { ticket: ticket.trim() }),
    };
    return runAct({ ...rest, args: act === "block" ? { ...args, ...more } : args });
  };
  return (
    <ActForm title={`${verb} this task`} button={verb} onSubmit={submit}>
      <p class="form-subject">
        <Text text={node.title} max={300} />
      </p>
      {criteria.length > 0 && (
        <>
          <h3>Done when</h3>
          <ul class="criteria">
            {criteria.slice(0, 50).map((each, index) => (
              <li key={index}>
                <LongText text={each} />
              </li>
            ))}
          </ul>
        </>
      )}
      {field !== undefined && (
        <AreaField
          label={field.isRequired ? field.label : `${field.label} (optional)`}
          value={text}
          onChange={setText}
          isRequired={field.isRequired}
          isFirst
          rows={3}
        />
      )}
      {act === "block" && (
        <FieldRow>
          <ChoiceField
            label="Kind of obstacle"
            value={type}
            onChange={setType}
            options={[["", "Not said"], ...blockerTypes.map((each) => [each, each] as const)]}
          />
          <TextField label="Ticket" value={ticket} onChange={setTicket} />
        </FieldRow>
      )}
    </ActForm>
  );
}
