import type { Tool } from "@modelcontextprotocol/client";
import { isRecord } from "../result/record.ts";

/**
 * True when a tool says that this call may happen twice. What is said of the action, in
 * `_meta["foundry-mcp/actions"]`, goes before the tool's annotations. These are hints of the server: a
 * caller who does not trust it says `idempotent` itself.
 */
export function isIdempotentCall(tool: Tool | undefined, args: object | undefined): boolean {
  return promises(tool, args, "readOnly") || promises(tool, args, "idempotent");
}

/** A server lists the actions that make a promise, or has an entry for each action with what it promises. */
function promises(
  tool: Tool | undefined,
  args: object | undefined,
  hint: "readOnly" | "idempotent",
): boolean {
  const told = tool?._meta?.["foundry-mcp/actions"];
  const action: unknown = isRecord(args) ? args["action"] : undefined;
  if (isRecord(told) && typeof action === "string") {
    const makers = told[hint];
    if (Array.isArray(makers)) return makers.includes(action);
    const entry = Object.hasOwn(told, action) ? told[action] : undefined;
    if (isRecord(entry)) return entry[hint] === true;
  }
  return tool?.annotations?.[`${hint}Hint`] === true;
}
