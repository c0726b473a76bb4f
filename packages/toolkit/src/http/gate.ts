import { type ContractError, forbidden } from "@foundry-mcp/contract";
import { validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server";

/** Whom a server listens to: without this a page in a browser could reach a server on this machine. */
export interface GateOptions {
  /** Names in the Host header. @default the names of this machine alone */
  readonly allowedHosts: readonly string[];
  /** Host names of pages that may call. @default the same as allowedHosts */
  readonly allowedOrigins: readonly string[];
}

/** The names of this machine alone. */
export const loopbackNames: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** What is wrong with where a request comes from; undefined when nothing is. */
export function checkGate(
  headers: Headers,
  { allowedHosts, allowedOrigins }: GateOptions,
): ContractError | undefined {
  if (!validateHostHeader(headers.get("host"), [...allowedHosts]).ok) {
    return forbidden("Cannot serve this host name", {
      remediation: `Call the server as one of ${allowedHosts.join(", ")}, or add the name to allowedHosts.`,
    });
  }
  if (!validateOriginHeader(headers.get("origin"), [...allowedOrigins]).ok) {
    return forbidden("Cannot serve a page of this origin", {
      remediation: "Add the origin's host name to allowedOrigins if the page may call this server.",
    });
  }
  return undefined;
}
