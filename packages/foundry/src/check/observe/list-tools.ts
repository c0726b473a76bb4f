import { ContractError, isRecord } from "@foundry-mcp/contract";
import type { Session } from "./session.ts";

/** A server that lists more is not heard out. */
const mostTools = 1_000;
const mostPages = 100;

/** What `tools/list` told. */
export interface ToolList {
  /** Its entries, as they came. */
  readonly listed: readonly unknown[];
  /** Why there may be more of them. */
  readonly rest?: string | undefined;
}

/** Reads `tools/list` page by page; throws a ContractError where there is no list. */
export async function listTools(session: Session): Promise<ToolList> {
  const listed: unknown[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < mostPages && listed.length < mostTools; page++) {
    const reply = await session.request("tools/list", cursor === undefined ? {} : { cursor });
    if (reply.kind !== "result" || !isRecord(reply.result) || !Array.isArray(reply.result["tools"])) {
      if (listed.length > 0) return { listed, rest: "a further page of tools/list did not come" };
      throw noList(
        reply.kind === "error" ? reply.message : reply.kind === "none" ? reply.failure.error : undefined,
      );
    }
    // One by one: a call with a hundred thousand arguments is too much.
    for (const tool of reply.result["tools"] as unknown[]) listed.push(tool);
    const next = reply.result["nextCursor"];
    if (listed.length <= mostTools && (typeof next !== "string" || cursors.has(next))) return { listed };
    if (typeof next !== "string") break;
    cursors.add(next);
    cursor = next;
  }
  const most = listed.length >= mostTools ? "1,000 tools" : `${mostPages} pages of tools`;
  return { listed: listed.slice(0, mostTools), rest: `the server lists more than ${most}` };
}

function noList(told: string | undefined): ContractError {
  const why = told === undefined ? "its answer holds no list" : told.slice(0, 200).toWellFormed();
  return new ContractError(`Cannot check the server: tools/list gave no tools: ${why}`, {
    errorCode: "UPSTREAM_ERROR",
    remediation: "Make the server answer tools/list with { tools: [...] }.",
  });
}
