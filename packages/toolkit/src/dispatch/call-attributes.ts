import type { Attributes } from "@opentelemetry/api";
import type { Surface } from "../context/call.ts";

/** What a call that succeeded and one that failed are described by. */
interface Described {
  readonly success: Attributes;
  readonly failure: Attributes;
}

const known = new Map<Surface, Map<string, Described>>();

/**
 * What spans and metrics say of a call, by the MCP conventions. They take few values, so each set is
 * made once: a call that no one watches must not pay for being described.
 */
export function callAttributes(surface: Surface, tool: string | undefined): Described {
  const found = known.get(surface)?.get(tool ?? "");
  if (found !== undefined) return found;
  const tools = known.get(surface) ?? new Map<string, Described>();
  const described = describe(surface, tool);
  known.set(surface, tools.set(tool ?? "", described));
  return described;
}

function describe(surface: Surface, tool: string | undefined): Described {
  const success = {
    "mcp.method.name": "tools/call",
    "gen_ai.operation.name": "execute_tool",
    ...(tool === undefined ? {} : { "gen_ai.tool.name": tool }),
    ...(surface === "in-process" ? {} : { "network.transport": surface === "stdio" ? "pipe" : "tcp" }),
  };
  // The conventions know one type for every failure that a tool reports itself.
  return { success, failure: { ...success, "error.type": "tool_error" } };
}
