import type { UnknownRecord } from "@foundry-mcp/contract";
import { useState } from "preact/hooks";
import { type Conflict, changesOfOthers, disputedFields } from "../acts/conflict.ts";
import { openConflict } from "../acts/dialogs.ts";
import { toRecord } from "../api/envelope.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Text } from "../parts/text.tsx";
import { Ago } from "../parts/time.tsx";
import { useStore } from "../state/store.ts";
import { useHistory } from "../state/use-history.ts";
import { ValueText } from "./value-text.tsx";

/** Shows a conflict, if there is one. */
export function ConflictDialog() {
  const conflict = useStore(openConflict);
  return conflict === undefined ? null : <OpenConflict key={conflict.theirs.revision} conflict={conflict} />;
}

/** Both sides of a conflict: what the person wants to change, and what others have changed meanwhile. */
function OpenConflict({ conflict }: { readonly conflict: Conflict }) {
  const { act, theirs, decide } = conflict;
  const others = changesOfOthers(act, theirs);
  const disputed = disputedFields(act, others);
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  const { entries } = useHistory(theirs, 50);
  const since = entries.findIndex(({ revision }) => revision === act.base.revision);
  const newer = since === -1 ? entries.slice(0, 5) : entries.slice(0, since);
  const isEdit = act.args["action"] === "update" || act.args["action"] === "spec-update";
  const isGone = act.about.some((id) => theirs.model.node(id) === undefined);
  const [first] = act.about;
  const valueIn = (spec: Conflict["theirs"], field: string): unknown => {
    const raw = toRecord(first === undefined ? undefined : spec.model.node(first)?.raw);
    return Object.hasOwn(raw, field) ? raw[field] : toRecord(raw["metadata"])[field];
  };
  const apply = () => {
    const args: UnknownRecord = Object.fromEntries(
      Object.entries(act.args).filter(([name]) => !kept.has(name)),
    );
    // If only fields are left out, nothing may be left to change.
    const isNothing = isEdit && Object.keys(act.sets).every((name) => kept.has(name));
    decide(isNothing ? "dropped" : args);
  };
  return (
    <Dialog title="Somebody else changed this too" onClose={() => decide("undecided")} size="large">
      <p>
        You decided on revision <code>{act.base.revision.split("-")[0]}</code>. Nothing of yours is saved yet.
      </p>
      <div class="conflict">
        <section class="conflict-side" aria-labelledby="conflict-mine">
          <h3 id="conflict-mine">Your change</h3>
          <p class="form-subject">
            <Text text={act.title} max={300} />
          </p>
          <dl class="diff-fields">
            {Object.entries(act.sets).map(([field, value]) => (
              <div key={field} class={disputed.includes(field) ? "is-disputed" : ""}>
                <dt>{field}</dt>
                <dd class="before">
                  <ValueText value={valueIn(act.base, field)} />
                </dd>
                <dd class="after">
                  <ValueText value={value} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
        <section class="conflict-side" aria-labelledby="conflict-theirs">
          <h3 id="conflict-theirs">Changed meanwhile</h3>
          <ul class="conflict-authors">
            {newer.slice(0, 5).map(({ revision, author, action, at }) => (
              <li key={revision}>
                <strong>
                  <Text text={author} max={60} />
                </strong>{" "}
                <Text text={action} max={60} /> <Ago at={at} />
              </li>
            ))}
          </ul>
          <dl class="diff-fields">
            {others.slice(0, 50).map(({ id, field, before, after }) => (
              <div key={`${id} ${field}`}>
                <dt>
                  {id !== first && <Text text={`${id} `} max={60} />}
                  <Text text={field} max={80} />
                </dt>
                <dd class="before">
                  <ValueText value={before} />
                </dd>
                <dd class="after">
                  <ValueText value={after} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
      {isEdit && disputed.length > 0 && (
        <fieldset class="conflict-choice">
          <legend>Both changed these. Which one stays?</legend>
          {disputed.map((field) => (
            <div key={field} class="row" role="radiogroup" aria-label={field}>
              <span class="conflict-field">{field}</span>
              <label class="check">
                <input
                  type="radio"
                  name={`keep-${field}`}
                  checked={!kept.has(field)}
                  onChange={() => setKept(without(kept, field))}
                />
                Mine
              </label>
              <label class="check">
                <input
                  type="radio"
                  name={`keep-${field}`}
                  checked={kept.has(field)}
                  onChange={() => setKept(new Set([...kept, field]))}
                />
                Theirs
              </label>
            </div>
          ))}
        </fieldset>
      )}
      <div class="form-buttons">
        <button type="button" onClick={() => decide("dropped")} data-first>
          Keep theirs
        </button>
        {!isGone && (
          <button type="button" class="primary" onClick={apply}>
            Apply mine on top
          </button>
        )}
      </div>
    </Dialog>
  );
}

function without(set: ReadonlySet<string>, value: string): ReadonlySet<string> {
  return new Set([...set].filter((each) => each !== value));
}
