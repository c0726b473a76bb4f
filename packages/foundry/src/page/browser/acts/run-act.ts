import type { UnknownRecord } from "@foundry-mcp/contract";
import { callTool } from "../api/call-tool.ts";
import { type CallError, toText } from "../api/envelope.ts";
import { refreshSpec, specStore } from "../state/spec-cache.ts";
import { readSpecList } from "../state/spec-list.ts";
import { showToast, withdrawUndo } from "../state/toasts.ts";
import type { Act } from "./act.ts";
import { changesOfOthers, type Decision } from "./conflict.ts";
import { openConflict } from "./dialogs.ts";
import { undo } from "./undo.ts";

/** The end of an act. */
export type ActEnd =
  | { readonly state: "done"; readonly data: UnknownRecord }
  | { readonly state: "failed"; readonly error: CallError }
  /** The person saw the change of somebody else, and gave up their own. */
  | { readonly state: "dropped" }
  /** The person saw the change of somebody else, and wants to go on with their own. */
  | { readonly state: "undecided" };

/** A spec that changes all the time would otherwise keep an act from ever ending. */
const maxAttempts = 20;

/**
 * Makes a change, unless somebody else has changed the same tasks in the meantime. A change elsewhere in the spec is
 * no reason to ask: the act is then repeated on the new revision. A change of the same tasks is shown beside the
 * person's own, and the person decides.
 */
export async function runAct(act: Act): Promise<ActEnd> {
  let { args } = act;
  let seen = act.base;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const answer = await callTool(act.tool, { ...args, spec_id: act.base.id, if_revision: seen.revision });
    if (answer.ok) {
      void refreshSpec(act.base.id);
      withdrawUndo();
      showToast({
        kind: "done",
        text: act.done,
        button: {
          text: "Undo",
          isUndo: true,
          run: () => void undo(act.base.id, toText(answer.data["revision"])),
        },
        ...(answer.warnings.length === 0 ? {} : { more: answer.warnings.join("\n") }),
      });
      return { state: "done", data: answer.data };
    }
    if (answer.error.code !== "VERSION_CONFLICT") {
      // The page may show an outdated state, for example if a lease has just begun.
      void refreshSpec(act.base.id);
      return { state: "failed", error: answer.error };
    }
    await refreshSpec(act.base.id);
    const theirs = specStore(act.base.id).get().spec;
    if (theirs === undefined) return { state: "failed", error: answer.error };
    if (changesOfOthers({ ...act, base: seen }, theirs).length > 0) {
      const decided = await new Promise<Decision>((decide) =>
        openConflict.set({ act: { ...act, args }, theirs, decide }),
      );
      openConflict.set(undefined);
      if (typeof decided === "string") return { state: decided };
      args = decided;
    }
    seen = theirs;
  }
  return {
    state: "failed",
    error: {
      code: "VERSION_CONFLICT",
      message: "The spec changes too fast: the change was not made",
      remedy: "Try again.",
      details: {},
      status: 409,
      raw: undefined,
    },
  };
}

/** Makes a change that needs no form, and shows a failure as a message. */
export async function runQuickAct(act: Act): Promise<ActEnd> {
  const end = await runAct(act);
  if (end.state === "failed")
    showToast({ kind: "failed", text: `${act.title}: ${end.error.message}`, more: end.error.remedy });
  return end;
}

/** Creates a spec, and reads the list again. */
export async function createSpec(args: UnknownRecord): Promise<ActEnd> {
  const answer = await callTool("authoring", { action: "spec-create", ...args });
  if (!answer.ok) return { state: "failed", error: answer.error };
  withdrawUndo();
  await readSpecList();
  return { state: "done", data: answer.data };
}
