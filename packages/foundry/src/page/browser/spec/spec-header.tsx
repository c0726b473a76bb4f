import { rootId } from "../../../specs/model/spec-document.ts";
import { folderTransitions } from "../../../specs/model/transitions.ts";
import { openDialog } from "../acts/dialogs.ts";
import { moveSpec } from "../acts/spec-acts.ts";
import { toText } from "../api/envelope.ts";
import { Bar } from "../parts/bar.tsx";
import { copy } from "../parts/copy.ts";
import { counted } from "../parts/counted.ts";
import { Icon } from "../parts/icon.tsx";
import { LongText } from "../parts/long-text.tsx";
import { Menu } from "../parts/menu.tsx";
import { Text } from "../parts/text.tsx";
import { Ago } from "../parts/time.tsx";
import { canWrite } from "../state/session.ts";
import type { LoadedSpec } from "../state/spec-cache.ts";
import { UndoButton } from "./undo-button.tsx";

/** The title of a spec, its progress, and what can be done with it. */
export function SpecHeader({ spec }: { readonly spec: LoadedSpec }) {
  const { id, model, folder, revision } = spec;
  const { total, completed } = model.tally(rootId);
  const percentage = total === 0 ? 0 : Math.floor((100 * completed) / total);
  const mission = toText(model.metadata["mission"]) || toText(model.metadata["description"]);
  const updated = toText(model.fields["last_updated"]);
  const moves = (folderTransitions as Readonly<Record<string, readonly string[]>>)[folder] ?? [];
  return (
    <header class="spec-header">
      <div class="spec-heading">
        <p class="crumbs">
          <a href="#/">Specs</a>
          <span aria-hidden="true">/</span>
          <span class={`tag folder-${folder}`}>{folder}</span>
          <span class="spec-id">
            <Text text={id} max={120} />
          </span>
        </p>
        <h1>
          <Text text={model.title} max={300} />
        </h1>
        {mission !== "" && <LongText text={mission} />}
      </div>
      <div class="spec-summary">
        <p class="spec-progress-line">
          <strong>{percentage} %</strong>
          <span>
            {completed} of {counted(total, "task")}
          </span>
        </p>
        <Bar completed={completed} total={total} label="Progress of the spec" />
        <p class="quiet">
          {updated !== "" && (
            <>
              Changed <Ago at={updated} />
              {" · "}
            </>
          )}
          revision <code>{revision.split("-")[0]}</code>
        </p>
      </div>
      <div class="spec-buttons">
        {canWrite() && (
          <>
            <button
              type="button"
              class="primary"
              onClick={() => openDialog.set({ kind: "add-task", specId: id })}
            >
              <Icon name="plus" />
              Add task
            </button>
            <UndoButton spec={spec} />
          </>
        )}
        <Menu
          label="More for this spec"
          items={[
            ...(canWrite()
              ? [
                  { text: "Add phase…", run: () => openDialog.set({ kind: "add-phase", specId: id }) },
                  {
                    text: "Edit title and fields…",
                    run: () => openDialog.set({ kind: "edit-spec", specId: id }),
                  },
                  ...moves.map((to) => ({ text: `Move to ${to}`, run: () => void moveSpec(spec, to) })),
                ]
              : []),
            { text: "Copy the id", run: () => void copy(id, "the id") },
            { text: "Copy the address of this view", run: () => void copy(location.href, "the address") },
            ...(canWrite()
              ? [
                  {
                    text: "Delete…",
                    isDangerous: true,
                    run: () => openDialog.set({ kind: "delete-spec", specId: id }),
                  },
                ]
              : []),
          ]}
        >
          <Icon name="more" />
        </Menu>
      </div>
    </header>
  );
}
