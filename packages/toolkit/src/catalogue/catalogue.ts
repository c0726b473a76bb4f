import { duplicateEntry } from "@foundry-mcp/contract";
import type { Surface } from "../context/call.ts";
import type { Role } from "../context/principal.ts";
import type { Tool } from "../define/tool.ts";
import { type PreparedTool, prepareTool, toKey } from "./prepared-tool.ts";

export type { PreparedAction, PreparedTool } from "./prepared-tool.ts";

/** The tools that can be called. */
export interface Catalogue {
  /** The tools that MCP clients list, in the order of their declaration. */
  readonly tools: readonly PreparedTool[];
  /** All tools, listed or not. */
  readonly all: readonly PreparedTool[];
  /**
   * Finds a tool by its name or an alias; snake_case and kebab-case are equivalent. If a surface is given, a tool that
   * does not exist on the surface is not found.
   */
  findTool(name: string, surface?: Surface): PreparedTool | undefined;
  add(tool: Tool): PreparedTool;
  /** Removes a tool; returns true if it existed. */
  remove(name: string): boolean;
}

/** Creates a catalogue; throws for a duplicate name and for a role that is not in `roles`. */
export function createCatalogue(declared: readonly Tool[], roles: readonly Role[]): Catalogue {
  let tools: readonly PreparedTool[] = [];
  const byName = new Map<string, PreparedTool>();
  const namesOf = ({ name, aliases = [] }: Tool | PreparedTool) => [name, ...aliases].map(toKey);
  const catalogue: Catalogue = {
    get tools() {
      return tools;
    },
    get all() {
      return [...new Set(byName.values())];
    },
    findTool(name, surface) {
      const tool = byName.get(name) ?? (typeof name === "string" ? byName.get(toKey(name)) : undefined);
      return tool === undefined || surface === undefined || isOn(tool, surface) ? tool : undefined;
    },
    add(tool) {
      const prepared = prepareTool(tool, roles);
      for (const name of namesOf(tool)) if (byName.has(name)) throw duplicateEntry("tool", name);
      for (const name of namesOf(tool)) byName.set(name, prepared);
      // The declared spelling is also a key of this map, because most calls use it and then need no
      // conversion.
      byName.set(tool.name, prepared);
      if (tool.unlisted !== true && mcpSurfaces.some((surface) => isOn(prepared, surface)))
        tools = [...tools, prepared];
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

const mcpSurfaces = ["stdio", "http"] as const;

/** True if the tool exists on the surface. */
export function isOn({ surfaces }: PreparedTool, surface: Surface): boolean {
  return surfaces === undefined || surfaces.includes(surface);
}
