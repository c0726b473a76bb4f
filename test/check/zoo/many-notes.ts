import type { GoodTool } from "./good-tool.ts";
import { pagingParameters, toLimit } from "./paging.ts";

/** The number of notes, and how they are requested. */
export interface ManyNotes {
  readonly count: number;
  /** The largest limit. */
  readonly maximum: number;
  /** The names of the list's parameters. */
  readonly names?: { readonly limit: string; readonly cursor: string };
}

/** Replaces the notes by another list that begins with the same notes. */
export function manyNotes({ count, maximum, names = { limit: "limit", cursor: "cursor" } }: ManyNotes) {
  const rows = Array.from({ length: count }, (_, index) => {
    const number = String(index + 1).padStart(2, "0");
    return { id: `note-${number}`, title: `Note ${number}` };
  });
  const { limit, cursor } = pagingParameters as Required<typeof pagingParameters>;
  if (limit === undefined || cursor === undefined) throw new Error("A list has no limit or no cursor");
  const parameters = { [names.limit]: { ...limit, maximum }, [names.cursor]: cursor };
  const run: GoodTool["actions"][string]["run"] = (args) => ({
    list: { rows, under: "notes", limit: toLimit(args[names.limit]), cursor: args[names.cursor] },
  });
  return (tools: readonly GoodTool[]): readonly GoodTool[] =>
    tools.map((tool) =>
      tool.name === "note" ? { ...tool, actions: { ...tool.actions, list: { parameters, run } } } : tool,
    );
}
