import { ContractError, type Remedy } from "@foundry-mcp/contract";
import { action, payload } from "@foundry-mcp/toolkit";
import { viewOf } from "@foundry-mcp/toolkit/terminal";
import { z } from "zod";
import { endedLeases } from "../../model/claims/claim-guard.ts";
import type { SpecModel } from "../../model/spec-model.ts";
import type { HistoryEntry, RollBackOptions } from "../../stores/spec-store.ts";
import { undoView } from "../../views/trash-view.ts";
import { claimFields, specChangeFields } from "../change-parameters.ts";
import { runChange } from "../change-spec.ts";
import { specRevision } from "../payload-parts.ts";
import { purposeOf, type Workspace } from "../workspace.ts";

/** Creates the action of `spec` that undoes the last change that its caller made. */
export function undoAction(workspace: Workspace) {
  return action({
    description: "Undo your last change; repeat to redo",
    input: () => z.object({ ...specChangeFields, force: claimFields.force }),
    output: () =>
      payload({
        ...specRevision,
        from_revision: z.string(),
        to_revision: z.string(),
        status: z.string(),
        undone: z.looseObject({ action: z.string(), at: z.string() }).optional(),
      }),
    cli: { command: "undo", aliases: ["specs undo"], arguments: ["spec_id"], show: viewOf(() => undoView) },
    run: async (input, context) => {
      const { spec_id } = input;
      const store = await workspace.store(purposeOf(input));
      const entries = await store.history(spec_id);
      const [last, before] = entries;
      const { model } = await store.read(spec_id);
      const { result, snapshot } = await runChange(store, input, context, (options) => {
        const { author = "", ifRevision = last?.revision } = options;
        // The owner of the last change is tested in `check`, so that a repeated call first gets the stored
        // response of its key.
        const check: RollBackOptions["check"] = (current, target, change) => {
          requireOwn(spec_id, author, last, before);
          return endedLeases(current, target, { ...change, author }, input, "undo a change of");
        };
        const revision = (before ?? last)?.revision ?? "";
        return store.rollBack(spec_id, revision, { ...options, check, ifRevision, to: last?.moved_from });
      });
      const undone = entries.find(({ revision }) => revision === result.from_revision);
      return {
        spec_id,
        ...result,
        ...(undone === undefined ? {} : { undone: describeUndone(undone, model) }),
        status: input.dry_run === true ? (last?.moved_from ?? snapshot.folder) : snapshot.folder,
        revision: snapshot.revision,
      };
    },
  });
}

/** Describes an undone change, with the titles that its nodes have before the undo. */
function describeUndone({ action, at, about }: HistoryEntry, model: SpecModel) {
  const nodes = about.map((id) => ({ id, title: model.node(id)?.title ?? "" }));
  return { action, at, ...(nodes.length === 0 ? {} : { nodes }) };
}

/** Throws unless the author made the last change of a spec and the revision before this change is kept. */
function requireOwn(
  spec_id: string,
  author: string,
  last: HistoryEntry | undefined,
  before: HistoryEntry | undefined,
): void {
  if (last === undefined || before === undefined)
    throw undoError(spec_id, "INVALID_STATE", "no earlier revision is stored", {
      remediation: "List the stored revisions: {1}.",
      remedy: { tool: "spec", action: "history", arguments: { spec_id } },
    });
  if (last.author !== author)
    throw undoError(spec_id, "CONFLICT", `${last.author} made the last one (${last.action})`, {
      remediation: "Look at the change: {1}; or undo it nevertheless: {2}.",
      remedy: [
        { tool: "spec", action: "diff", arguments: { spec_id } },
        {
          tool: "spec",
          action: "rollback",
          arguments: { spec_id, to_revision: before.revision, confirm: true },
        },
      ],
      details: { spec_id, author: last.author, action: last.action, revision: last.revision },
    });
  if (last.action === "spec restore")
    throw undoError(spec_id, "INVALID_STATE", "it brought the spec back from the trash", {
      remediation: "To move the spec to the trash again: {1}.",
      remedy: { tool: "spec", action: "delete", arguments: { spec_id, confirm: true } },
    });
}

function undoError(
  specId: string,
  errorCode: "CONFLICT" | "INVALID_STATE",
  reason: string,
  options: {
    readonly remediation: string;
    readonly remedy: Remedy | readonly Remedy[];
    readonly details?: Readonly<Record<string, string>>;
  },
): ContractError {
  const details = { spec_id: specId };
  return new ContractError(`Cannot undo your last change of spec "${specId}": ${reason}`, {
    details,
    ...options,
    errorCode,
  });
}
