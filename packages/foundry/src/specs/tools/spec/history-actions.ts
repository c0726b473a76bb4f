import { isContractError } from "@foundry-mcp/contract";
import { action, type Context, payload, rows } from "@foundry-mcp/toolkit";
import { z } from "zod";
import { endedLeases } from "../../model/claims/claim-guard.ts";
import { countDiff, diffSpecs } from "../../model/diff/diff-specs.ts";
import type { SpecModel } from "../../model/spec-model.ts";
import { parseSpecFile } from "../../stores/spec-file.ts";
import type { RollBackOptions, SpecReader } from "../../stores/spec-store.ts";
import { revisionNotKept } from "../../stores/store-failures.ts";
import { runChange } from "../change-spec.ts";
import { readSpec } from "../overwritten.ts";
import { claimFields, specChangeFields, specId, specRevision } from "../parameters.ts";
import { purposeOf, type Workspace } from "../workspace.ts";

const counts = () => z.looseObject({ added: z.int(), removed: z.int(), changed: z.int(), fields: z.int() });

/** Creates the actions of `spec` that list, compare and restore revisions. */
export function historyActions(workspace: Workspace) {
  return {
    history: action({
      description: "List revisions, newest first",
      input: () => z.object({ spec_id: specId }),
      output: () =>
        payload({
          ...specRevision,
          entries: rows({ revision: z.string(), at: z.string(), author: z.string(), action: z.string() }),
          total_count: z.int(),
        }),
      readOnly: true,
      page: { default: 25, max: 500, of: "Revisions" },
      cli: { command: "specs history", arguments: ["spec_id"], short: { limit: "l" } },
      run: async ({ spec_id }, context) => {
        // A file that is no longer a valid spec has a history too: it can be rolled back.
        const entries = await (await workspace.store()).history(spec_id);
        await readSpec(workspace, spec_id, context).catch(ignoreInvalid);
        const revision = entries[0]?.revision ?? "";
        const totalCount = entries.length;
        return {
          spec_id,
          entries: context.page.siblings(entries, { id: (entry) => entry.revision, totalCount }),
          total_count: totalCount,
          revision,
        };
      },
    }),
    diff: action({
      description: "Compare two revisions",
      input: () =>
        z.object({
          spec_id: specId,
          from_revision: z.string().min(1).optional().describe("Default: the one before"),
          to_revision: z.string().min(1).optional().describe("Default: the current one"),
        }),
      output: () =>
        payload({
          ...specRevision,
          from_revision: z.string(),
          to_revision: z.string(),
          changes: counts(),
          added: rows({ id: z.string(), title: z.string() }),
          removed: rows({ id: z.string(), title: z.string() }),
          changed: rows({ id: z.string(), field: z.string() }),
          fields: rows({ field: z.string() }),
          journal: z.looseObject({ added: z.int(), removed: z.int() }),
        }),
      readOnly: true,
      cli: { command: "specs diff", arguments: ["spec_id"] },
      run: async ({ spec_id, from_revision, to_revision }, context) => {
        const store = await workspace.store();
        const { revision } = await readSpec(workspace, spec_id, context);
        const to = to_revision ?? revision;
        const from = from_revision ?? (await revisionBefore(store, spec_id, to, context));
        const diff = diffSpecs(await modelAt(store, spec_id, from), await modelAt(store, spec_id, to));
        return {
          spec_id,
          from_revision: from,
          to_revision: to,
          changes: countDiff(diff),
          ...diff,
          revision,
        };
      },
    }),
    rollback: action({
      description: "Restore a spec to an earlier revision",
      input: () =>
        z.object({
          ...specChangeFields,
          force: claimFields.force,
          to_revision: z.string().min(1).describe("A revision of history"),
          confirm: z.literal(true).describe("Confirm. Must be true: later changes are taken back"),
        }),
      output: () =>
        payload({
          ...specRevision,
          from_revision: z.string(),
          to_revision: z.string(),
          changes: counts().optional(),
        }),
      destructive: true,
      cli: { command: "specs rollback", arguments: ["spec_id", "to_revision"] },
      run: async (input, context) => {
        const { spec_id, to_revision, dry_run = false } = input;
        const store = await workspace.store(purposeOf(input));
        const target = await modelAt(store, spec_id, to_revision);
        const check: RollBackOptions["check"] = (before, after, change) =>
          endedLeases(before, after, change, input, "roll back");
        const { result, snapshot, isChanged, isRepeated } = await runChange(
          store,
          input,
          context,
          (options) => {
            // The revision that is being restored needs no advice to restore it.
            const onOverwritten: typeof options.onOverwritten = (overwritten) =>
              overwritten.revision === to_revision || options.onOverwritten?.(overwritten);
            return store.rollBack(spec_id, to_revision, { ...options, check, onOverwritten });
          },
        );
        if (!isRepeated && !isChanged && !dry_run)
          context.warn(`Spec "${spec_id}" is already what it was at ${to_revision}; nothing was changed`);
        const before = await modelAt(store, spec_id, result.from_revision).catch(ignoreInvalid);
        return {
          spec_id,
          ...result,
          ...(before === undefined ? {} : { changes: countDiff(diffSpecs(before, target)) }),
          revision: snapshot.revision,
        };
      },
    }),
  };
}

/** Reads the spec at a revision. */
async function modelAt(store: SpecReader, id: string, revision: string): Promise<SpecModel> {
  const text = await store.readRevision(id, revision);
  return parseSpecFile(Buffer.from(text), `${id} at revision ${revision}`).model;
}

/** Ignores a file or a revision that cannot be parsed as a spec. */
function ignoreInvalid(thrown: unknown): undefined {
  if (!isContractError(thrown) || thrown.code !== "INVALID_FORMAT") throw thrown;
}

/** Returns the revision before another one, or the same one with a warning if no earlier one is stored. */
async function revisionBefore(
  store: SpecReader,
  id: string,
  revision: string,
  context: Context,
): Promise<string> {
  const entries = await store.history(id);
  const index = entries.findIndex((entry) => entry.revision === revision);
  if (index === -1) throw revisionNotKept(id, revision);
  const before = entries[index + 1]?.revision;
  if (before === undefined) context.warn(`Nothing is kept of spec "${id}" from before ${revision}`);
  return before ?? revision;
}
