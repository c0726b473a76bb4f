import { notFound } from "@foundry-mcp/contract";
import { action, defineTool, type Tool } from "@foundry-mcp/toolkit";
import { z } from "zod";

const note = z.object({ id: z.string(), rank: z.int() });

/** Notes in the order of their ids. Their ranks have the opposite order. */
const notes = Array.from({ length: 25 }, (_, index) => ({
  id: `note-${String(index).padStart(2, "0")}`,
  rank: 25 - index,
}));

const page = { default: 10, max: 20 };

/** A tool with actions, with aliases of everything and lists of every kind. */
export const notesTool: Tool = defineTool({
  name: "note_book",
  version: "2.0.0",
  description: "Reads notes",
  aliases: ["notes"],
  meta: { "matrix/own": true },
  actions: {
    "read-one": action({
      description: "One note by its id",
      aliases: ["get", "show_one"],
      parameterAliases: { noteId: "note_id" },
      input: z.object({ note_id: z.string() }),
      output: z.object({ note }),
      readOnly: true,
      examples: [{ title: "the first note", args: { note_id: "note-00" } }],
      run: ({ note_id: id }) => {
        const found = notes.find((known) => known.id === id);
        if (found === undefined) throw notFound("note", id);
        return { note: found };
      },
    }),
    list: action({
      description: "Notes in the order of their ids",
      aliases: ["find"],
      input: z.object({ min_rank: z.int().optional() }),
      output: z.object({ notes: z.array(note), total_count: z.int() }),
      readOnly: true,
      page,
      run: ({ min_rank: least = 0 }, context) => {
        const matching = notes.filter(({ rank }) => rank >= least);
        const rows = context.page.sorted(matching, { key: ({ id }) => [id] });
        return { notes: [...rows], total_count: notes.length };
      },
    }),
    children: action({
      description: "Notes in an order of their own",
      output: z.object({ notes: z.array(note) }),
      readOnly: true,
      page,
      run: (_input, context) => ({
        notes: [...context.page.siblings(notes.toReversed(), { id: ({ id }) => id })],
      }),
    }),
    scan: action({
      description: "Notes as a database would page them",
      readOnly: true,
      page,
      run: (_input, context) => {
        const by = { key: ({ id }: { id: string }) => [id] };
        const { after, offset, count } = context.page.place();
        const rest = notes.filter(({ id }) => after === null || id > String(after[0]));
        return { notes: [...context.page.found(rest.slice(offset, offset + count), by)] };
      },
    }),
    unpaged: action({
      description: "Promises a page and forgets it",
      page,
      run: () => ({ notes }),
    }),
    pages_unasked: action({
      description: "Pages although it promised none",
      run: (_input, context) => ({ notes: [...context.page.sorted(notes, { key: ({ id }) => [id] })] }),
    }),
  },
});
