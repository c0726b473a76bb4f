import type { Tool } from "@modelcontextprotocol/client";
import { isRecord } from "../result/record.ts";

/**
 * True when a tool says that this call may happen twice. The action's own word, in
 * `_meta["foundry-mcp/actions"]`, goes before the tool's annotations. These are hints of the server: a
 * caller who does not trust it says `idempotent` itself.
 */
export function isIdempotentCall(tool: Tool | undefined, args: object | undefined): boolean {
  const actions = tool?._meta?.["foundry-mcp/actions"];
  const action: unknown = isRecord(args) ? args["action"] : undefined;
  if (isRecord(actions) && typeof action === "string" && Object.hasOwn(actions, action)) {
    const hints = actions[action];
    if (isRecord(hints)) return hints["readOnly"] === true || hints["idempotent"] === true;
  }
  return tool?.annotations?.readOnlyHint === true || tool?.annotations?.idempotentHint === true;
}
