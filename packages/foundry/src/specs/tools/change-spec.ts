import { createHash } from "node:crypto";
import { ContractError, isContractError } from "@foundry-mcp/contract";
import type { Context } from "@foundry-mcp/toolkit";
import type { Plan } from "../model/change.ts";
import { type ClaimGuard, guardTask } from "../model/claims/claim-guard.ts";
import { diffSpecs } from "../model/diff/diff-specs.ts";
import { guardEvidence } from "../model/evidence/require-evidence.ts";
import { parseSpecFile } from "../stores/spec-file.ts";
import type { ChangeOptions, ChangeResult, SpecReader } from "../stores/spec-store.ts";
import { warnOfOverwritten } from "./overwritten.ts";
import { toPersonName } from "./person-name.ts";
import { purposeOf, type Workspace } from "./workspace.ts";

/** The parameters of every change of a spec. */
export interface ChangeInput {
  readonly spec_id: string;
  readonly if_revision?: string | undefined;
  readonly dry_run?: boolean | undefined;
  readonly idempotency_key?: string | undefined;
}

/** The parameters of every change of a task. */
export interface TaskChangeInput extends ChangeInput, ClaimGuard {
  readonly task_id: string;
}

/** Changes a spec. Returns the result of the plan and the new revision. */
export async function changeSpec<R extends object>(
  workspace: Workspace,
  input: ChangeInput,
  plan: Plan<R>,
  context: Context,
): Promise<R & { readonly revision: string }> {
  const store = await workspace.store(purposeOf(input));
  const { result, snapshot } = await runChange(store, input, context, (options) =>
    store.change(input.spec_id, guardEvidence(plan), options),
  );
  return { ...result, revision: snapshot.revision };
}

/** Changes a task. The change is refused if another agent holds the task. */
export function changeTask<R extends object>(
  workspace: Workspace,
  input: TaskChangeInput,
  plan: Plan<R>,
  context: Context,
): Promise<R & { readonly revision: string }> {
  return changeSpec(workspace, input, guardTask(input.task_id, input, context.action, plan), context);
}

/** Runs a change in the store, and adds its warnings to the response. */
export async function runChange<R>(
  store: SpecReader,
  input: ChangeInput,
  context: Context,
  change: (options: ChangeOptions) => Promise<ChangeResult<R>>,
): Promise<ChangeResult<R>> {
  requireForce([input], context);
  const changed = await change(toChangeOptions(input, context)).catch(async (error: unknown) => {
    throw await withDifferences(error, store, input);
  });
  for (const warning of changed.warnings) context.warn(warning);
  if (changed.isRepeated) context.warn(repeatedCallWarning);
  return changed;
}

/**
 * Refuses `force` for callers below the role maintainer, because `force` overrides the protection of the work
 * of others.
 */
export function requireForce(inputs: readonly object[], { requireRole }: Context): void {
  if (inputs.some((input) => "force" in input && input.force === true)) requireRole("maintainer", "force");
}

/** The warning in a response that repeats an earlier response. */
export const repeatedCallWarning =
  "This call was made before with the same idempotency_key; nothing was changed again";

/** Converts the parameters of a call to the options of the store. */
export function toChangeOptions(input: ChangeInput, context: Context): ChangeOptions {
  const { tool, action, principal, signal } = context;
  const { if_revision, dry_run, idempotency_key: key, ...args } = input;
  return {
    ifRevision: if_revision,
    dryRun: dry_run,
    author: toAuthor(context),
    action: action === "" ? tool : `${tool} ${action}`,
    onOverwritten: (overwritten) => warnOfOverwritten(overwritten, context),
    signal,
    key:
      key === undefined
        ? undefined
        : { key, owner: principal, fingerprint: toFingerprint([tool, action, args]) },
  };
}

/** The name by which the page identifies itself as a client. */
const pageClient = "foundry-page";
/** The name of the person who uses this machine, which a server reads once. */
let person: string | undefined;

/**
 * Returns the name of the caller: the principal of a token, the person at a command line or at the page, or
 * otherwise the client program.
 */
function toAuthor({ surface, client, principal }: Context): string {
  if (principal !== "local") return principal;
  if (surface === "cli") return toPersonName();
  if (surface !== "api" || client.name !== pageClient) return client.name;
  person ??= toPersonName();
  return person;
}

/** Returns a hash of a call. The order of object members does not change the hash. */
function toFingerprint(call: unknown): string {
  const sorted = (_key: string, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return createHash("sha256").update(JSON.stringify(call, sorted)).digest("hex");
}

/** The maximum number of differences that a conflict lists. */
const maxDifferences = 20;

/**
 * Adds the fields that changed since the expected revision to a version conflict, if that revision is stored.
 */
async function withDifferences(
  error: unknown,
  store: SpecReader,
  { spec_id, if_revision }: ChangeInput,
): Promise<unknown> {
  if (!isContractError(error) || error.code !== "VERSION_CONFLICT" || if_revision === undefined) return error;
  const differences = await differencesSince(store, spec_id, if_revision).catch(() => undefined);
  if (differences === undefined) return error;
  const { details } = error.options;
  return new ContractError(error.message, { ...error.options, details: { ...details, ...differences } });
}

async function differencesSince(store: SpecReader, id: string, revision: string) {
  const before = parseSpecFile(Buffer.from(await store.readRevision(id, revision)), id).model;
  const { model } = await store.read(id);
  const { added, removed, changed, fields } = diffSpecs(before, model);
  const all = [
    ...fields.map(({ field }) => field),
    ...changed.map(({ id: node, field }) => `${node}.${field}`),
    ...added.map(({ id: node }) => `${node} (added)`),
    ...removed.map(({ id: node }) => `${node} (removed)`),
  ];
  return { changed_fields: all.slice(0, maxDifferences), changed_count: all.length };
}
