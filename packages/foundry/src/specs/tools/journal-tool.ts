import { action, defineTool, payload, rows, type Tool } from "@foundry-mcp/toolkit";
import { viewOf } from "@foundry-mcp/toolkit/terminal";
import { z } from "zod";
import { addJournalEntry } from "../model/changes/add-journal-entry.ts";
import { requireNode } from "../model/find-node.ts";
import { journalEntryTypes } from "../model/known-values.ts";
import type { SpecModel, SpecNode } from "../model/spec-model.ts";
import { journalAddView, journalView, unjournaledView } from "../views/journal-view.ts";
import { specChangeFields } from "./change-parameters.ts";
import { changeSpec } from "./change-spec.ts";
import { cachedMatchingIds, toNodePage } from "./list-cache.ts";
import { readSpec } from "./overwritten.ts";
import { specId, taskId } from "./parameters.ts";
import { specRevision } from "./payload-parts.ts";
import { toTaskRow } from "./spec-views.ts";
import type { Workspace } from "./workspace.ts";

const entryType = () => z.enum(journalEntryTypes);

/** Creates the tool that reads and writes the journal of a spec. */
export function createJournalTool(workspace: Workspace): Tool {
  return defineTool({
    name: "journal",
    version: "1.0.0",
    description: "Read and write the journal of a spec",
    actions: {
      add: action({
        description: "Add an entry to the journal",
        input: () =>
          z.object({
            ...specChangeFields,
            title: z.string().min(1),
            content: z.string().min(1),
            entry_type: entryType().optional().describe("Kind of entry (default: note)"),
            task_id: taskId.optional(),
          }),
        output: () => payload({ ...specRevision, entry: z.looseObject({ timestamp: z.string() }) }),
        cli: {
          command: "journal add",
          arguments: ["spec_id"],
          short: { title: "t", content: "c", entry_type: "T" },
          show: viewOf(() => journalAddView),
        },
        run: (input, context) => changeSpec(workspace, input, addJournalEntry(input), context),
      }),
      list: action({
        description: "List entries, newest first",
        input: () =>
          z.object({
            spec_id: specId,
            task_id: taskId.optional().describe("List only entries about this task"),
            entry_type: entryType().optional().describe("List only entries of this kind"),
          }),
        output: () =>
          payload({ ...specRevision, entries: rows({ timestamp: z.string() }), total_count: z.int() }),
        readOnly: true,
        page: { default: 25, max: 500, of: "Entries" },
        cli: {
          command: "journal list",
          aliases: ["journal get"],
          arguments: ["spec_id"],
          short: { entry_type: "T", limit: "l" },
          show: viewOf(() => journalView),
        },
        run: async ({ spec_id, task_id, entry_type }, context) => {
          const { model, revision } = await readSpec(workspace, spec_id, context);
          if (task_id !== undefined) requireNode(model, task_id);
          const { journal } = model;
          // Entries are only added at the end of the journal, so the index of an entry identifies it.
          const numbered = journal.map((entry, number) => ({ entry, number })).toReversed();
          const isFiltered = task_id !== undefined || entry_type !== undefined;
          const matching = numbered.filter(
            ({ entry }) =>
              (task_id === undefined || entry["task_id"] === task_id) &&
              (entry_type === undefined || entry["entry_type"] === entry_type),
          );
          const page = context.page.sorted(matching, {
            key: ({ number }) => [number],
            order: ["desc"],
            totalCount: matching.length,
          });
          return {
            spec_id,
            entries: page.map(({ entry }) => entry),
            total_count: journal.length,
            ...(isFiltered ? { filtered_count: matching.length } : {}),
            revision,
          };
        },
      }),
      unjournaled: action({
        description: "List completed tasks without a journal entry",
        input: () => z.object({ spec_id: specId }),
        output: () =>
          payload({
            ...specRevision,
            unjournaled_tasks: rows({ task_id: z.string(), title: z.string() }),
            total_count: z.int(),
          }),
        readOnly: true,
        aliases: ["list-unjournaled"],
        page: { default: 25, max: 500, of: "Tasks" },
        cli: { command: "journal unjournaled", arguments: ["spec_id"], show: viewOf(() => unjournaledView) },
        run: async ({ spec_id }, context) => {
          const { model, revision } = await readSpec(workspace, spec_id, context);
          const missing = cachedMatchingIds(model, "unjournaled", unjournaledFilter(model));
          const tasks = toNodePage(model, missing, context.page).map((node) => ({
            ...toTaskRow(node),
            completed_at: node.metadata["completed_at"] ?? null,
            needs_journaling: node.metadata["needs_journaling"] === true,
          }));
          return { spec_id, unjournaled_tasks: tasks, total_count: missing.length, revision };
        },
      }),
    },
  });
}

/**
 * Returns a filter for completed tasks without a journal entry. A file marks such a task with
 * `needs_journaling`. The field `journaled_at` marks a task whose entry is stored in another place.
 */
function unjournaledFilter({ journal }: SpecModel): (node: SpecNode) => boolean {
  let journaled: ReadonlySet<unknown> | undefined;
  return ({ id, status, children, metadata }) => {
    if (status !== "completed") return false;
    if (metadata["needs_journaling"] === true) return true;
    if (children.length > 0 || typeof metadata["journaled_at"] === "string") return false;
    journaled ??= new Set(journal.map((entry) => entry["task_id"]));
    return !journaled.has(id);
  };
}
