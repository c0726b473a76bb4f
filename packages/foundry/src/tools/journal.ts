import { action, defineTool, type Tool } from "@foundry-mcp/toolkit";
import { z } from "zod";
import { requireNode } from "../specs/changes/find-node.ts";
import { addJournalEntry } from "../specs/changes/journal-entry.ts";
import { journalEntryTypes } from "../specs/validate/known-values.ts";
import { changeSpec } from "./change-spec.ts";
import { aboutSpec, dryRun, ifRevision, payload, rows, specId, taskId } from "./parameters.ts";
import type { Workspace } from "./workspace.ts";

const entryType = () => z.enum(journalEntryTypes);

/** Creates the tool that keeps what happened to a spec. */
export function createJournalTool(workspace: Workspace): Tool {
  return defineTool({
    name: "journal",
    version: "1.0.0",
    description: "What happened to a spec, and why",
    actions: {
      add: action({
        description: "A new entry",
        input: () =>
          z.object({
            spec_id: specId,
            title: z.string().min(1),
            content: z.string().min(1),
            entry_type: entryType().optional().describe("What it is (default: note)"),
            task_id: taskId.optional(),
            if_revision: ifRevision,
            dry_run: dryRun,
          }),
        output: () => payload({ ...aboutSpec, entry: z.looseObject({ timestamp: z.string() }) }),
        cli: {
          command: "journal add",
          arguments: ["spec_id"],
          short: { title: "t", content: "c", entry_type: "T" },
        },
        run: (input, context) => changeSpec(workspace, input, addJournalEntry(input), context),
      }),
      list: action({
        description: "Entries, the newest first",
        input: () =>
          z.object({
            spec_id: specId,
            task_id: taskId.optional().describe("Only about this task"),
            entry_type: entryType().optional().describe("Only those"),
          }),
        output: () =>
          payload({ ...aboutSpec, entries: rows({ timestamp: z.string() }), total_count: z.int() }),
        readOnly: true,
        page: { default: 25, max: 500, of: "Entries" },
        cli: {
          command: "journal list",
          aliases: ["journal get"],
          arguments: ["spec_id"],
          short: { entry_type: "T", limit: "l" },
        },
        run: async ({ spec_id, task_id, entry_type }, context) => {
          const { model, revision } = await (await workspace.store()).read(spec_id);
          if (task_id !== undefined) requireNode(model, task_id);
          const { journal } = model;
          // The journal only grows, so an entry is known by its place for ever.
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
    },
  });
}
