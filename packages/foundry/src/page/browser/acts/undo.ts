import { callTool } from "../api/call-tool.ts";
import { toText } from "../api/envelope.ts";
import { refreshSpec, specStore } from "../state/spec-cache.ts";
import { showToast, withdrawUndo } from "../state/toasts.ts";
import { describeUndo } from "./describe-undo.ts";

/** The revisions that a redo created. The next undo of such a revision is an undo and not a redo. */
const redone = new Set<string>();

/**
 * Undoes the last change that this person made to a spec. Undoing again brings it back. If the revision of a change
 * is given, only this change is undone.
 */
export async function undo(specId: string, made = ""): Promise<void> {
  withdrawUndo();
  const revision = made === "" ? specStore(specId).get().spec?.revision : made;
  const answer = await callTool("spec", {
    action: "undo",
    spec_id: specId,
    ...(revision === undefined ? {} : { if_revision: revision }),
  });
  await refreshSpec(specId);
  if (!answer.ok) {
    const isLate = answer.error.code === "VERSION_CONFLICT";
    showToast({
      kind: "failed",
      text: isLate ? "The spec has changed since: nothing was undone" : answer.error.message,
      more: isLate ? "Look at the change in the history first." : answer.error.remedy,
    });
    return;
  }
  const { isRedo, text } = describeUndo(answer.data, redone);
  const now = toText(answer.data["revision"]);
  if (isRedo) redone.add(now);
  showToast({
    kind: "done",
    text,
    button: { text: isRedo ? "Undo" : "Redo", isUndo: true, run: () => void undo(specId, now) },
  });
}
