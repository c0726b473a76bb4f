import { closeDialog } from "./acts/dialogs.ts";
import { Dialog } from "./parts/dialog.tsx";
import { pageKeys, taskKeys } from "./shortcuts.ts";

/** The list of all keys. */
export function KeysDialog() {
  return (
    <Dialog title="Keyboard shortcuts" onClose={closeDialog}>
      <KeyList title="Everywhere" keys={pageKeys} />
      <KeyList title="On a task" keys={taskKeys} />
    </Dialog>
  );
}

function KeyList({
  title,
  keys,
}: {
  readonly title: string;
  readonly keys: readonly (readonly [string, string])[];
}) {
  return (
    <section>
      <h3>{title}</h3>
      <dl class="keys">
        {keys.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
