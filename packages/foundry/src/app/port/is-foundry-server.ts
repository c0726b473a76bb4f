import { isIPv6 } from "node:net";
import { readEnvelope } from "@foundry-mcp/contract";
import { wildcards } from "./wildcards.ts";

/**
 * The time to wait for a server's response. The time is short, because the user is waiting for the error message.
 */
const maxWaitMs = 1_000;

/** Returns true if a server at an address of this machine gives Foundry's response to the probe. */
export async function isFoundryServer(address: string, port: number): Promise<boolean> {
  const host = wildcards.has(address) ? "127.0.0.1" : address;
  try {
    const response = await fetch(`http://${isIPv6(host) ? `[${host}]` : host}:${port}/healthz`, {
      signal: AbortSignal.timeout(maxWaitMs),
      redirect: "error",
    });
    const { success, data } = readEnvelope(await response.text());
    return success && (data as { readonly status?: unknown }).status === "ok";
  } catch {
    return false;
  }
}
