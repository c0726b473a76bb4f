import { ContractError } from "@foundry-mcp/contract";
import { isRecord } from "./observe/observation.ts";
import type { Session } from "./observe/session.ts";

/** A server that lists more is not heard out. */
const mostTools = 1_000;
const mostPages = 100;

/** Every entry of `tools/list`, as it came; throws a ContractError where there is no list. */
export async function listTools(session: Session): Promise<unknown[]> {
  const listed: unknown[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < mostPages && listed.length < mostTools; page++) {
    const reply = await session.request("tools/list", cursor === undefined ? {} : { cursor });
    if (reply.kind !== "result" || !isRecord(reply.result) || !Array.isArray(reply.result["tools"])) {
      if (listed.length > 0) return listed;
      throw noList(
        reply.kind === "error" ? reply.message : reply.kind === "none" ? reply.failure.error : undefined,
      );
    }
    listed.push(...(reply.result["tools"] as unknown[]));
    const next = reply.result["nextCursor"];
    if (typeof next !== "string" || cursors.has(next)) return listed;
    cursors.add(next);
    cursor = next;
  }
  return listed.slice(0, mostTools);
}

function noList(told: string | undefined): ContractError {
  const why = told === undefined ? "its answer holds no list" : told.slice(0, 200).toWellFormed();
  return new ContractError(`Cannot check the server: tools/list gave no tools: ${why}`, {
    errorCode: "UPSTREAM_ERROR",
    remediation: "Make the server answer tools/list with { tools: [...] }.",
  });
}
