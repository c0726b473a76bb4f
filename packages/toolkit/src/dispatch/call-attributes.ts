import type { Attributes } from "@opentelemetry/api";
import type { Surface } from "../context/call.ts";

const known = new Map<string, Attributes>();

/**
 * What spans and metrics say of a call, by the MCP conventions. They take few values, so each set is
 * made once: a call that no one watches must not pay for being described.
 */
export function callAttributes(surface: Surface, tool: string | undefined, failed: boolean): Attributes {
  const key = `${surface} ${failed} ${tool ?? ""}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const attributes = {
    "mcp.method.name": "tools/call",
    "gen_ai.operation.name": "execute_tool",
    ...(tool === undefined ? {} : { "gen_ai.tool.name": tool }),
    ...(surface === "in-process" ? {} : { "network.transport": surface === "stdio" ? "pipe" : "tcp" }),
    // The conventions know one type for every failure that a tool reports itself.
    ...(failed ? { "error.type": "tool_error" } : {}),
  };
  known.set(key, attributes);
  return attributes;
}
