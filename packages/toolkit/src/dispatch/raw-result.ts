import type { UnknownRecord } from "@foundry-mcp/contract";
import type { PreparedAction } from "../catalogue/prepared-tool.ts";
import { toolFault } from "../context/tool-fault.ts";

/** The MCP result that a handler of a raw action returned; anything else is its fault. */
export function toRawResult({ label }: PreparedAction, returned: unknown): UnknownRecord {
  if (typeof returned === "object" && returned !== null) {
    const { content, resultType = "complete" } = returned as UnknownRecord;
    if (resultType !== "complete" || Array.isArray(content)) return returned as UnknownRecord;
  }
  throw toolFault(`Cannot answer: the handler of ${label} is declared raw and returned no MCP tool result`);
}
