import { isIPv6 } from "node:net";
import { isDeepStrictEqual } from "node:util";
import { readEnvelope } from "@foundry-mcp/contract";
import { wildcards } from "../port/wildcards.ts";

/** The address at which a server may run, and the facts by which it is recognized. */
export interface PageAddress {
  readonly host: string;
  readonly port: number;
  /** The location of the workspace, as the server reports it. */
  readonly workspace: object;
}

/** The time to wait for the answer. The time is short, because a person waits for the page. */
const maxWaitMs = 1_000;

/**
 * Returns the address of the page of a workspace; undefined unless a server of this workspace runs there. A server
 * that requires a token does not say which workspace it serves; it counts as the server of this workspace, because
 * the user's settings name its port. No token is sent, because the program at the port may be anybody's.
 */
export async function findRunningPage(address: PageAddress): Promise<string | undefined> {
  const host = wildcards.has(address.host) ? "127.0.0.1" : address.host;
  const url = `http://${isIPv6(host) ? `[${host}]` : host}:${address.port}/`;
  const deadline = new AbortController();
  // This timer keeps the process alive, which AbortSignal.timeout does not: fetch may wait for a connection that the
  // other program has closed.
  const timer = setTimeout(() => deadline.abort(), maxWaitMs);
  try {
    const response = await fetch(`${url}page/session`, {
      signal: deadline.signal,
      redirect: "error",
    });
    const { success, data } = readEnvelope(await response.text());
    if (!success) return (data as { error_code?: unknown }).error_code === "UNAUTHORIZED" ? url : undefined;
    const { workspace } = data as { readonly workspace?: unknown };
    return isDeepStrictEqual(workspace, address.workspace) ? url : undefined;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
