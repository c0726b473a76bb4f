import { showToast } from "../state/toasts.ts";

/** Copies a text, and shows a message about it. */
export async function copy(text: string, name: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast({ kind: "note", text: `Copied ${name}` });
  } catch {
    showToast({ kind: "failed", text: `Cannot copy ${name}: the browser does not allow it`, more: text });
  }
}
