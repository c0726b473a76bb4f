import { action, payload } from "@foundry-mcp/toolkit";
import { viewOf } from "@foundry-mcp/toolkit/terminal";
import { z } from "zod";
import { endAllLeases } from "../../model/claims/end-leases.ts";
import { deleteView, restoreView } from "../../views/trash-view.ts";
import { claimFields, confirmation, specChangeFields } from "../change-parameters.ts";
import { runChange } from "../change-spec.ts";
import { specRevision } from "../payload-parts.ts";
import { purposeOf, type Workspace } from "../workspace.ts";

const moved = () => payload({ ...specRevision, title: z.string(), status: z.string() });

/** Creates the actions of `spec` that move a spec to the trash and restore it. */
export function trashActions(workspace: Workspace) {
  return {
    delete: action({
      description: "Move a spec to the trash",
      input: () =>
        z.object({
          ...specChangeFields,
          force: claimFields.force,
          confirm: confirmation("moves the spec to the trash"),
        }),
      output: moved,
      destructive: true,
      cli: { command: "specs delete", arguments: ["spec_id"], show: viewOf(() => deleteView) },
      run: async (input, context) => {
        const { spec_id, force } = input;
        const store = await workspace.store(purposeOf(input));
        const { result, snapshot } = await runChange(store, input, context, (options) =>
          store.remove(
            spec_id,
            ({ title }, change) => {
              const leases = endAllLeases(spec_id, change, { force }, "delete");
              return {
                result: { title: title || spec_id, from_folder: change.folder },
                ...(Object.keys(leases).length === 0 ? {} : { leases }),
              };
            },
            options,
          ),
        );
        return { spec_id, ...result, status: "trash", revision: snapshot.revision };
      },
    }),
    restore: action({
      description: "Move a spec back from the trash",
      input: () => z.object(specChangeFields),
      output: moved,
      cli: { command: "specs restore", arguments: ["spec_id"], show: viewOf(() => restoreView) },
      run: async (input, context) => {
        const { spec_id } = input;
        const store = await workspace.store(purposeOf(input));
        const { result, snapshot } = await runChange(store, input, context, (options) =>
          store.restore(
            spec_id,
            ({ title }, { folder }) => ({ result: { title: title || spec_id, status: folder } }),
            options,
          ),
        );
        return { spec_id, ...result, revision: snapshot.revision };
      },
    }),
  };
}
