import type { Context } from "@foundry-mcp/toolkit";
import type { OverwrittenRevision, SpecSnapshot } from "../stores/spec-store.ts";
import type { Workspace } from "./workspace.ts";

/** Reads a spec. Adds a warning if another program replaced an acknowledged revision of the spec. */
export async function readSpec(workspace: Workspace, id: string, context: Context): Promise<SpecSnapshot> {
  return warnIfOverwritten(await (await workspace.store()).read(id), context);
}

/** Adds a warning if another program replaced an acknowledged revision of a spec. */
export function warnIfOverwritten<S extends Pick<SpecSnapshot, "id" | "overwritten">>(
  snapshot: S,
  context: Context,
): S {
  const { id, overwritten } = snapshot;
  if (overwritten !== undefined)
    warnOfOverwritten({ specId: id, revision: overwritten, by: "outside" }, context);
  return snapshot;
}

/** Adds a warning about an overwritten revision. The warning explains how to restore the revision. */
export function warnOfOverwritten(
  { specId, revision, by }: OverwrittenRevision,
  { warn, describeRemedy }: Pick<Context, "warn" | "describeRemedy">,
): void {
  const what =
    by === "outside"
      ? `Another program overwrote revision ${revision} of spec "${specId}"`
      : `A change of spec "${specId}" overwrote what another program wrote at the same time; it is kept as revision ${revision}`;
  const restore = { spec_id: specId, to_revision: revision, confirm: true };
  const remedy = { tool: "spec", action: "rollback", arguments: restore };
  warn("REVISION_OVERWRITTEN", `${what}. To restore it: ${describeRemedy(remedy)}`, {
    spec_id: specId,
    revision,
    replaced_by: by,
    remedy,
  });
}
