import { action, payload, rows } from "@foundry-mcp/toolkit";
import { z } from "zod";
import { noteKinds, notesOf } from "../../model/changes/notes.ts";
import { specRevision, specChangeFields, specId } from "../parameters.ts";
import type { Workspace } from "../workspace.ts";
import { authoringOperations } from "./authoring-operations.ts";
import { runOperation } from "./operation.ts";

/** The actions of `authoring` that are about what was noted of a spec. */
export function noteActions(workspace: Workspace) {
  const add = authoringOperations["note-add"];
  return {
    "note-add": action({
      description: "Note something of a spec",
      input: () => z.object({ ...specChangeFields, ...add.fields() }),
      output: () => payload({ ...specRevision, kind: z.string(), total: z.int() }),
      cli: { command: "modify add-note", arguments: ["spec_id"] },
      run: runOperation(workspace, add),
    }),
    "note-list": action({
      description: "What was noted",
      input: () => z.object({ spec_id: specId, kind: z.enum(noteKinds).optional() }),
      output: () =>
        payload({
          ...specRevision,
          notes: rows({ kind: z.string(), index: z.int(), text: z.string() }),
          total_count: z.int(),
          filtered_count: z.int().optional(),
        }),
      readOnly: true,
      page: { default: 50, max: 500, of: "Notes" },
      cli: { command: "modify list-notes", aliases: ["specs notes"], arguments: ["spec_id"] },
      run: async ({ spec_id, kind }, context) => {
        const { model, revision } = await (await workspace.store()).read(spec_id);
        const all = notesOf(model);
        const matching = kind === undefined ? all : all.filter((note) => note.kind === kind);
        const notes = context.page.sorted(matching, {
          key: (note) => [noteKinds.indexOf(note.kind), note.index],
          totalCount: matching.length,
        });
        return {
          spec_id,
          notes,
          total_count: all.length,
          ...(kind === undefined ? {} : { filtered_count: matching.length }),
          revision,
        };
      },
    }),
  };
}
