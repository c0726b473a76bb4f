import { callTool } from "../api/call-tool.ts";
import { quoted } from "../parts/quoted.ts";
import { go } from "../routes/current-route.ts";
import { type LoadedSpec, refreshSpec } from "../state/spec-cache.ts";
import { readSpecList } from "../state/spec-list.ts";
import { showToast, withdrawUndo } from "../state/toasts.ts";
import { runQuickAct } from "./run-act.ts";

/** Moves a spec to another folder, which becomes its status. */
export async function moveSpec(spec: LoadedSpec, to: string): Promise<void> {
  const { id, folder, model } = spec;
  // `activate` and `complete` need no more than the right to work; other moves are for maintainers.
  const args =
    to === "active"
      ? { action: "activate" }
      : to === "completed" && folder === "active"
        ? { action: "complete" }
        : to === "archived"
          ? { action: "archive" }
          : { action: "move", to_folder: to };
  await runQuickAct({
    tool: "lifecycle",
    args,
    base: spec,
    about: [],
    title: `Move ${quoted(model.title)} to ${to}`,
    sets: { status: to },
    done: `Moved ${quoted(model.title)} to ${to}`,
  });
  await refreshSpec(id);
}

/** Moves a spec to the trash. */
export async function deleteSpec({ id, model, revision }: LoadedSpec): Promise<boolean> {
  const answer = await callTool("spec", {
    action: "delete",
    spec_id: id,
    confirm: true,
    if_revision: revision,
  });
  if (!answer.ok) {
    showToast({ kind: "failed", text: answer.error.message, more: answer.error.remedy });
    await refreshSpec(id);
    return false;
  }
  withdrawUndo();
  go("#/");
  await readSpecList();
  showToast({
    kind: "done",
    text: `Moved ${quoted(model.title)} to the trash`,
    button: {
      text: "Restore",
      run: () =>
        void callTool("spec", { action: "restore", spec_id: id }).then(async (restored) => {
          if (!restored.ok)
            showToast({ kind: "failed", text: restored.error.message, more: restored.error.remedy });
          await readSpecList();
        }),
    },
  });
  return true;
}
