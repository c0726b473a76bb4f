import { action, type Context, defineTool, payload, type Tool } from "@foundry-mcp/toolkit";
import { viewOf } from "@foundry-mcp/toolkit/terminal";
import { z } from "zod";
import type { Plan } from "../model/change.ts";
import { type MoveSpecResult, moveSpec } from "../model/changes/move-spec.ts";
import { rootId, type SpecFolder, specFolders } from "../model/spec-document.ts";
import { progressOf, type SpecModel } from "../model/spec-model.ts";
import { folderTransitions } from "../model/transitions.ts";
import { validateSpec } from "../model/validate/validate-spec.ts";
import { toSpecPath } from "../stores/spec-store.ts";
import { moveSpecView, specStateView } from "../views/spec-change-view.ts";
import { specChangeFields } from "./change-parameters.ts";
import { type ChangeInput, runChange } from "./change-spec.ts";
import { readSpec } from "./overwritten.ts";
import { specId } from "./parameters.ts";
import { specRevision } from "./payload-parts.ts";
import { toSpecStatus } from "./spec-views.ts";
import { purposeOf, type Workspace } from "./workspace.ts";

const force = () => z.boolean().optional().describe("Complete even with open tasks; needs reason");
const reason = () => z.string().optional().describe("Reason");
const moved = () =>
  payload({ ...specRevision, status: z.string(), from_folder: z.string(), to_folder: z.string() });

interface MoveInput extends ChangeInput {
  readonly force?: boolean | undefined;
  readonly reason?: string | undefined;
}

/** Warns if agents begin to work on a spec that is not valid. */
function warnOfErrors(spec_id: string, { document }: SpecModel, { warn, describeRemedy }: Context): void {
  const { is_valid, error_count, warning_count } = validateSpec(document);
  if (is_valid) return;
  const remedy = { tool: "spec", action: "validate", arguments: { spec_id } };
  const errors = `${error_count} ${error_count === 1 ? "error" : "errors"}`;
  warn("INVALID_SPEC", `The spec is not valid: ${errors}. ${describeRemedy(remedy)} lists them.`, {
    error_count,
    warning_count,
    remedy,
  });
}

/** Creates the tool that moves specs between pending, active, completed and archived. */
export function createLifecycleTool(workspace: Workspace): Tool {
  async function move(to: SpecFolder, input: MoveInput, context: Context) {
    const store = await workspace.store(purposeOf(input));
    const { path } = await store.read(input.spec_id);
    const plan: Plan<MoveSpecResult> = (spec, change) =>
      moveSpec({ from: change.folder, to, force: input.force, reason: input.reason })(spec, change);
    const { result, snapshot } = await runChange(store, input, context, (options) =>
      store.move(input.spec_id, to, plan, options),
    );
    if (to === "active") warnOfErrors(input.spec_id, snapshot.model, context);
    return {
      ...result,
      spec_id: input.spec_id,
      old_path: path,
      new_path: input.dry_run === true ? toSpecPath(to, input.spec_id) : snapshot.path,
      revision: snapshot.revision,
    };
  }
  const to = (folder: SpecFolder, name: string, description: string) =>
    action({
      description,
      input: () => z.object({ ...specChangeFields, reason: reason() }),
      output: moved,
      idempotent: true,
      cli: { command: `lifecycle ${name}`, arguments: ["spec_id"], show: viewOf(() => moveSpecView) },
      run: (input, context) => move(folder, input, context),
    });
  return defineTool({
    name: "lifecycle",
    version: "1.0.0",
    description: "Move specs between pending, active, completed and archived",
    actions: {
      activate: to("active", "activate", "Move a spec to active"),
      complete: action({
        description: "Move a spec to completed. Fails while tasks are open",
        input: () => z.object({ ...specChangeFields, force: force(), reason: reason() }),
        output: moved,
        idempotent: true,
        cli: {
          command: "lifecycle complete",
          arguments: ["spec_id"],
          short: { force: "f" },
          show: viewOf(() => moveSpecView),
        },
        run: (input, context) => move("completed", input, context),
      }),
      archive: to("archived", "archive", "Move a spec to archived"),
      move: action({
        description: "Move a spec to another folder",
        input: () =>
          z.object({
            ...specChangeFields,
            to_folder: z.enum(specFolders).describe("Folder. The spec is moved to this folder"),
            force: force(),
            reason: reason(),
          }),
        output: moved,
        idempotent: true,
        cli: {
          command: "lifecycle move",
          arguments: ["spec_id", "to_folder"],
          show: viewOf(() => moveSpecView),
        },
        run: (input, context) => move(input.to_folder, input, context),
      }),
      state: action({
        description: "Show the current and possible folders",
        input: () => z.object({ spec_id: specId }),
        output: () => payload({ ...specRevision, status: z.string(), can_complete: z.boolean() }),
        readOnly: true,
        cli: { command: "lifecycle state", arguments: ["spec_id"], show: viewOf(() => specStateView) },
        run: async ({ spec_id }, context) => {
          const snapshot = await readSpec(workspace, spec_id, context);
          const { folder, model } = snapshot;
          const { completed, total, percentage } = progressOf(model.tally(rootId));
          const allowed: readonly SpecFolder[] = folderTransitions[folder];
          return {
            ...toSpecStatus(snapshot),
            folder,
            allowed,
            progress_percentage: percentage,
            can_complete: allowed.includes("completed") && total > 0 && total === completed,
            can_archive: allowed.includes("archived"),
          };
        },
      }),
    },
  });
}
