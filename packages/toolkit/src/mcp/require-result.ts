import type { UnknownRecord } from "@foundry-mcp/contract";
import { isSpecType } from "@modelcontextprotocol/server";
import { toolFault } from "../context/tool-fault.ts";

/** A result that the protocol can carry; a malformed one would leave a client waiting, so it is refused here. */
export function requireResult(
  result: unknown,
  type: "GetPromptResult" | "ReadResourceResult",
  what: string,
): UnknownRecord {
  const isObject = typeof result === "object" && result !== null;
  const isIncomplete = isObject && ((result as UnknownRecord)["resultType"] ?? "complete") !== "complete";
  if (isObject && (isIncomplete || isSpecType[type](result))) return result as UnknownRecord;
  throw toolFault(`Cannot answer: ${what} gave a malformed result`);
}
