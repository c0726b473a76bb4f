import { refuseContent } from "./content-tool.ts";
import type { Action, GoodTool } from "./good-tool.ts";
import { handbook, toHash, toWords } from "./handbook.ts";
import { defineFault, type Faults } from "./zoo-entry.ts";

const lost = "sec-20";

/** Returns the archive tool with one part of its content missing. */
function loseSection(tool: GoodTool): GoodTool {
  const { get } = tool.actions;
  if (tool.name !== "content" || get === undefined) return tool;
  const run: Action["run"] = (args) =>
    args["content_id"] === lost ? { refusal: refuseContent(lost) } : get.run(args);
  return { ...tool, actions: { ...tool.actions, get: { ...get, run } } };
}

/** Faults in answers that leave something out. */
export const fidelityFaults: Faults = {
  "dropped-lost": defineFault({ tools: (tools) => tools.map(loseSection) }),
  "no-way-to-fetch": defineFault({
    tools: (tools) => tools.filter(({ name }) => name !== "content"),
    // This fault also promises no archive, so it names only ids.
    meta: ({ content_archive_hashes: _, ...rest }) => rest,
  }),
  "hash-differs": defineFault({
    meta: ({ content_archive_hashes: hashes, ...rest }) =>
      hashes === undefined
        ? rest
        : { ...rest, content_archive_hashes: { [handbook.archiveId]: toHash("something else") } },
  }),
  "budget-ignored": defineFault({
    ignoresBudget: true,
    data: (data, { tool }) => (tool === "handbook" ? { ...data, appendix: toWords(5000) } : data),
  }),
};
