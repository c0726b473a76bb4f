import { isContractError } from "@foundry-mcp/contract";
import { action, type Context, payload, rows } from "@foundry-mcp/toolkit";
import { viewOf } from "@foundry-mcp/toolkit/terminal";
import { z } from "zod";
import { endedLeases } from "../../model/claims/claim-guard.ts";
import { countDiff, diffSpecs } from "../../model/diff/diff-specs.ts";
import type { SpecModel } from "../../model/spec-model.ts";
import { parseSpecFile } from "../../stores/spec-file.ts";
import type { RollBackOptions, SpecReader } from "../../stores/spec-store.ts";
import { revisionNotKept } from "../../stores/store-failures.ts";
import { diffView, historyView, rollbackView } from "../../views/history-view.ts";
import { claimFields, confirmation, specChangeFields } from "../change-parameters.ts";
import { runChange } from "../change-spec.ts";
import { readSpec } from "../overwritten.ts";
import { specId } from "../parameters.ts";
import { specRevision } from "../payload-parts.ts";
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
      cli: {
        command: "specs history",
        arguments: ["spec_id"],
        short: { limit: "l" },
        show: viewOf(() => historyView),
      },
      run: async ({ spec_id }, context) => {
        // A file that is no longer a valid spec also has a history, and can be rolled back.
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
          from_revision: z
            .string()
            .min(1)
            .optional()
            .describe("Default: previous revision. The older of the compared revisions"),
          to_revision: z
            .string()
            .min(1)
            .optional()
            .describe("Default: current revision. The newer of the compared revisions"),
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
      cli: { command: "specs diff", arguments: ["spec_id"], show: viewOf(() => diffView) },
      run: async ({ spec_id, from_revision, to_revision }, context) => {
        const store = await workspace.store();
        const { revision } = await readSpec(workspace, spec_id, context);
        const to = (await wholeRevision(store, spec_id, to_revision)) ?? revision;
        const from =
          (await wholeRevision(store, spec_id, from_revision)) ??
          (await revisionBefore(store, spec_id, to, context));
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
      description: "Restore an earlier revision",
      input: () =>
        z.object({
          ...specChangeFields,
          force: claimFields.force,
          to_revision: z.string().min(1).describe("Revision to restore"),
          confirm: confirmation("undoes all later changes"),
        }),
      output: () =>
        payload({
          ...specRevision,
          from_revision: z.string(),
          to_revision: z.string(),
          changes: counts().optional(),
        }),
      destructive: true,
      cli: {
        command: "specs rollback",
        arguments: ["spec_id", "to_revision"],
        show: viewOf(() => rollbackView),
      },
      run: async (input, context) => {
        const { spec_id, dry_run = false } = input;
        const store = await workspace.store(purposeOf(input));
        const to_revision = await wholeRevision(store, spec_id, input.to_revision);
        const target = await modelAt(store, spec_id, to_revision);
        const { result, snapshot, isChanged, isRepeated } = await runChange(
          store,
          input,
          context,
          (options) => {
            const { author } = options;
            const check: RollBackOptions["check"] = (before, after, change) =>
              endedLeases(before, after, { ...change, author }, input, "roll back");
            // A warning about the revision that is being restored is not needed.
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

/**
 * Returns the whole revision for a counter, because people type only the counter. Any other value is returned
 * unchanged.
 */
async function wholeRevision<Given extends string | undefined>(
  store: SpecReader,
  id: string,
  given: Given,
): Promise<Given | string> {
  if (given === undefined || !/^\d+$/.test(given)) return given;
  const entries = await store.history(id);
  return entries.find(({ revision }) => revision.startsWith(`${given}-`))?.revision ?? given;
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

/**
 * Returns the revision before the given revision. If no earlier revision is stored, returns the given
 * revision and adds a warning.
 */
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
  if (before === undefined) context.warn(`The history of spec "${id}" begins at ${revision}`);
  return before ?? revision;
}
