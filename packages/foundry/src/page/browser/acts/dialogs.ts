import { createStore } from "../state/store.ts";
import type { Conflict } from "./conflict.ts";
import type { StatusAct } from "./status-acts.ts";

/** The dialog that is open. */
export type OpenDialog =
  | { readonly kind: "palette" }
  | { readonly kind: "keys" }
  | { readonly kind: "new-spec" }
  | { readonly kind: "edit-spec"; readonly specId: string }
  | { readonly kind: "add-phase"; readonly specId: string }
  | { readonly kind: "add-task"; readonly specId: string; readonly parent?: string | undefined }
  | { readonly kind: "status"; readonly specId: string; readonly taskId: string; readonly act: StatusAct }
  | { readonly kind: "edit-task"; readonly specId: string; readonly taskId: string }
  | { readonly kind: "move-task"; readonly specId: string; readonly taskId: string }
  | { readonly kind: "remove-task"; readonly specId: string; readonly taskId: string }
  | { readonly kind: "add-dependency"; readonly specId: string; readonly taskId: string }
  | { readonly kind: "delete-spec"; readonly specId: string };

/** The dialog that the person has opened. */
export const openDialog = createStore<OpenDialog | undefined>(undefined);

/** The conflict that waits for a decision, shown above any other dialog. */
export const openConflict = createStore<Conflict | undefined>(undefined);

/** Closes the dialog. */
export function closeDialog(): void {
  openDialog.set(undefined);
}
