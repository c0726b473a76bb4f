import { createHash } from "node:crypto";
import type { Context } from "@foundry-mcp/toolkit";
import type { Plan } from "../model/change.ts";
import { type ClaimGuard, guardTask } from "../model/claims/claim-guard.ts";
import { guardEvidence } from "../model/evidence/require-evidence.ts";
import type { ChangeOptions } from "../stores/spec-store.ts";
import { explainingConflicts } from "./explain-conflict.ts";
import type { Workspace } from "./workspace.ts";

/** What every change of a spec takes. */
export interface ChangeInput {
  readonly spec_id: string;
  readonly if_revision?: string | undefined;
  readonly dry_run?: boolean | undefined;
  readonly idempotency_key?: string | undefined;
}

/** What every change of a task takes. */
export interface TaskChangeInput extends ChangeInput, ClaimGuard {
  readonly task_id: string;
}

/** Changes a spec as a plan says; the answer is the plan's, with the revision that there is now. */
export async function changeSpec<R extends object>(
  workspace: Workspace,
  input: ChangeInput,
  plan: Plan<R>,
  context: Context,
): Promise<R & { readonly revision: string }> {
  const store = await workspace.store();
  const { result, warnings, snapshot, isRepeated } = await explainingConflicts(store, input, () =>
    store.change(input.spec_id, guardEvidence(plan), toChangeOptions(input, context)),
  );
  for (const warning of warnings) context.warn(warning);
  if (isRepeated) context.warn(repeatedCallWarning);
  return { ...result, revision: snapshot.revision };
}

/** Changes a task, unless somebody else holds it. */
export function changeTask<R extends object>(
  workspace: Workspace,
  input: TaskChangeInput,
  plan: Plan<R>,
  context: Context,
): Promise<R & { readonly revision: string }> {
  return changeSpec(workspace, input, guardTask(input.task_id, input, context.action, plan), context);
}

/** What a call asks for, without what it says of how that is to be done. */
export function withoutChangeOptions<I extends Partial<TaskChangeInput>>(input: I) {
  const {
    spec_id: _,
    if_revision: __,
    dry_run: ___,
    idempotency_key: ____,
    claim_token: _____,
    force: ______,
    ...asked
  } = input;
  return asked;
}

/** Said of an answer that was given before. */
export const repeatedCallWarning = "This call was made before with the same idempotency_key; nothing was changed again";

/** How a store makes the change that a caller asks for. */
export function toChangeOptions(
  input: ChangeInput,
  { tool, action, client, principal, signal }: Context,
): ChangeOptions {
  const { if_revision, dry_run, idempotency_key, ...asked } = input;
  // Who is known by a token is named by it; everybody else by the program they use.
  const author = principal === "local" ? client.name : principal;
  return {
    ifRevision: if_revision,
    dryRun: dry_run,
    author,
    action: action === "" ? tool : `${tool} ${action}`,
    signal,
    key:
      idempotency_key === undefined
        ? undefined
        : {
            key: idempotency_key,
            owner: principal,
            fingerprint: toFingerprint([tool, action, asked]),
          },
  };
}

/** The same for what asks for the same, whatever the order of its members. */
function toFingerprint(asked: unknown): string {
  const sorted = (_key: string, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return createHash("sha256").update(JSON.stringify(asked, sorted)).digest("hex");
}
