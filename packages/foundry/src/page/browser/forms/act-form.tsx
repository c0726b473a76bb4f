import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { closeDialog } from "../acts/dialogs.ts";
import type { ActEnd } from "../acts/run-act.ts";
import type { CallError } from "../api/envelope.ts";
import { Dialog } from "../parts/dialog.tsx";
import { ErrorBox } from "../parts/error-box.tsx";

/** A form in a dialog that makes one change. It stays open, with what was typed, if the change fails. */
export function ActForm({
  title,
  button,
  onSubmit,
  children,
  isDangerous = false,
  isLarge = false,
}: {
  readonly title: string;
  readonly button: string;
  /** Makes the change. Undefined if the form is not complete yet. */
  readonly onSubmit: () => Promise<ActEnd | undefined>;
  readonly children?: ComponentChildren;
  readonly isDangerous?: boolean;
  readonly isLarge?: boolean;
}) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<CallError>();
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    const end = await onSubmit();
    setBusy(false);
    if (end?.state === "failed") setError(end.error);
    else if (end !== undefined && end.state !== "undecided") closeDialog();
  };
  return (
    <Dialog title={title} onClose={closeDialog} size={isLarge ? "large" : "small"}>
      <form
        onSubmit={submit}
        autocomplete="off"
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            // Unlike a call of `submit`, this also asks the browser whether the fields are filled in.
            event.currentTarget.requestSubmit();
          }
        }}
      >
        {children}
        {error !== undefined && <ErrorBox error={error} onLeave={closeDialog} />}
        <div class="form-buttons">
          <button type="button" onClick={closeDialog}>
            Cancel
          </button>
          <button type="submit" class={isDangerous ? "dangerous" : "primary"} disabled={isBusy} data-submit>
            {isBusy ? "Working…" : button}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
