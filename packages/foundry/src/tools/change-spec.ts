import type { Context } from "@foundry-mcp/toolkit";
import type { Plan } from "../specs/change.ts";
import type { ChangeOptions } from "../stores/spec-store.ts";
import type { Workspace } from "./workspace.ts";

/** What every change of a spec takes. */
export interface ChangeInput {
  readonly spec_id: string;
  readonly if_revision?: string | undefined;
  readonly dry_run?: boolean | undefined;
}

/** Changes a spec as a plan says; the answer is the plan's, with the revision that there is now. */
export async function changeSpec<R extends object>(
  workspace: Workspace,
  { spec_id, if_revision, dry_run }: ChangeInput,
  plan: Plan<R>,
  context: Context,
): Promise<R & { readonly revision: string }> {
  const { result, warnings, snapshot } = await (await workspace.store()).change(
    spec_id,
    plan,
    toOptions({ spec_id, if_revision, dry_run }, context),
  );
  for (const warning of warnings) context.warn(warning);
  return { ...result, revision: snapshot.revision };
}

/** How a store makes the change that a caller asks for. */
export function toOptions(
  { if_revision, dry_run }: ChangeInput,
  { client, principal, signal }: Context,
): ChangeOptions {
  // Who is known by a token is named by it; everybody else by the program they use.
  const author = principal === "local" ? client.name : principal;
  return { ifRevision: if_revision, dryRun: dry_run, author, signal };
}
