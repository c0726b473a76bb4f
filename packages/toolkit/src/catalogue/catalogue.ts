import { duplicateEntry } from "@foundry-mcp/contract";
import type { Role } from "../context/principal.ts";
import type { Tool } from "../define/tool.ts";
import { type PreparedTool, prepareTool, toKey } from "./prepared-tool.ts";

export type { PreparedAction, PreparedTool } from "./prepared-tool.ts";

/** The tools that can be called. */
export interface Catalogue {
  /** Those that are listed, in the order of their declaration. */
  readonly tools: readonly PreparedTool[];
  /** Finds a tool by its name or an alias; snake_case and kebab-case mean the same. */
  findTool(name: string): PreparedTool | undefined;
  add(tool: Tool): PreparedTool;
  /** Removes a tool; true when there was one. */
  remove(name: string): boolean;
}

/** Creates a catalogue; a name that is taken is refused, and so is a role that is none of `roles`. */
export function createCatalogue(declared: readonly Tool[], roles: readonly Role[]): Catalogue {
  let tools: readonly PreparedTool[] = [];
  const byName = new Map<string, PreparedTool>();
  const namesOf = ({ name, aliases = [] }: Tool | PreparedTool) => [name, ...aliases].map(toKey);
  const catalogue: Catalogue = {
    get tools() {
      return tools;
    },
    findTool: (name) => byName.get(name) ?? (typeof name === "string" ? byName.get(toKey(name)) : undefined),
    add(tool) {
      const prepared = prepareTool(tool, roles);
      for (const name of namesOf(tool)) if (byName.has(name)) throw duplicateEntry("tool", name);
      for (const name of namesOf(tool)) byName.set(name, prepared);
      // Most calls use the declared spelling, which then needs no conversion.
      byName.set(tool.name, prepared);
      if (tool.unlisted !== true) tools = [...tools, prepared];
      return prepared;
    },
    remove(name) {
      const tool = byName.get(toKey(name));
      if (tool === undefined) return false;
      for (const known of [tool.name, ...namesOf(tool)]) byName.delete(known);
      tools = tools.filter((other) => other !== tool);
      return true;
    },
  };
  for (const tool of declared) catalogue.add(tool);
  return catalogue;
}
