import { ContractError, isRecord } from "@foundry-mcp/contract";
import type { Session } from "./session.ts";

/** Limits on the length of `tools/list`. */
const maxTools = 1_000;
const maxPages = 100;

/** The answer of `tools/list`. */
export interface ToolList {
  /** The entries of the list, which are not validated. */
  readonly listed: readonly unknown[];
  /** The reason why there may be more tools than were read. Undefined if all tools were read. */
  readonly moreReason?: string | undefined;
}

/** Reads `tools/list` page by page. Throws a ContractError if the server returns no list. */
export async function listTools(session: Session): Promise<ToolList> {
  const listed: unknown[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < maxPages && listed.length < maxTools; page++) {
    const reply = await session.request("tools/list", cursor === undefined ? {} : { cursor });
    if (reply.kind !== "result" || !isRecord(reply.result) || !Array.isArray(reply.result["tools"])) {
      if (listed.length > 0) return { listed, moreReason: "a further page of tools/list did not come" };
      throw noListError(
        reply.kind === "error" ? reply.message : reply.kind === "none" ? reply.failure.error : undefined,
      );
    }
    // Tools are pushed one by one, because push(...tools) with a hundred thousand arguments overflows the stack.
    for (const tool of reply.result["tools"] as unknown[]) listed.push(tool);
    const next = reply.result["nextCursor"];
    if (listed.length <= maxTools && (typeof next !== "string" || cursors.has(next))) return { listed };
    if (typeof next !== "string") break;
    cursors.add(next);
    cursor = next;
  }
  const limit = listed.length >= maxTools ? "1,000 tools" : `${maxPages} pages of tools`;
  return { listed: listed.slice(0, maxTools), moreReason: `the server lists more than ${limit}` };
}

function noListError(reason: string | undefined): ContractError {
  const why = reason === undefined ? "its answer holds no list" : reason.slice(0, 200).toWellFormed();
  return new ContractError(`Cannot check the server: tools/list gave no tools: ${why}`, {
    errorCode: "UPSTREAM_ERROR",
    remediation: "Make the server answer tools/list with { tools: [...] }.",
  });
}
