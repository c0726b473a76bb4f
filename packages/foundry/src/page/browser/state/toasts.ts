import { createStore } from "./store.ts";

/** A short message that goes away by itself. */
export interface Toast {
  readonly id: number;
  readonly kind: "done" | "failed" | "note";
  readonly text: string;
  readonly more?: string | undefined;
  readonly button?: ToastButton | undefined;
}

/** The action that a message offers. */
export interface ToastButton {
  readonly text: string;
  /** True if the button undoes the last change. After a further change, the button would undo that change instead. */
  readonly isUndo?: boolean;
  run(): void;
}

/** The messages that are shown. */
export const toasts = createStore<readonly Toast[]>([]);

const doneMs = 8_000;
const failedMs = 20_000;
const maxShown = 3;
let lastId = 0;

/** Shows a message. The oldest message gives way if there are too many. */
export function showToast(toast: Omit<Toast, "id">): void {
  lastId += 1;
  const id = lastId;
  toasts.update((shown) => [...shown, { ...toast, id }].slice(-maxShown));
  setTimeout(() => hideToast(id), toast.kind === "failed" ? failedMs : doneMs);
}

/** Removes the undo buttons from all messages, because the change that they name is no longer the last change. */
export function withdrawUndo(): void {
  toasts.update((shown) =>
    shown.some(({ button }) => button?.isUndo === true)
      ? shown.map(({ button, ...rest }) => (button?.isUndo === true ? rest : { ...rest, button }))
      : shown,
  );
}

/** Removes a message. */
export function hideToast(id: number): void {
  toasts.update((shown) =>
    shown.some((each) => each.id === id) ? shown.filter((each) => each.id !== id) : shown,
  );
}
