import { ContractError } from "@foundry-mcp/contract";
import type { Transport } from "@modelcontextprotocol/client";
import { ChildTransport } from "./child-transport.ts";
import type { CommandTarget, ConnectOptions, SseTarget } from "./connect-target.ts";
import { HttpTransport } from "./http-transport.ts";
import { createLoginProvider } from "./login-provider.ts";
import { SseTransport } from "./sse-transport.ts";

/** A transport, and the name that messages use for its server. */
export interface OpenedTransport {
  readonly transport: Transport;
  readonly label: string;
  readonly isCommand: boolean;
}

/** Creates the transport of a target; nothing is started or sent yet. */
export function openTransport(
  target: string | URL | SseTarget | CommandTarget | { readonly transport: Transport },
  { headers, login }: ConnectOptions,
): OpenedTransport {
  const isSse = typeof target === "object" && "sse" in target;
  if (typeof target === "string" || target instanceof URL || isSse) {
    const url = toUrl(isSse ? target.sse : target);
    // With headers, redirects are refused: headers may be secrets, and a redirect could send them to another
    // server.
    const init = {
      ...(headers === undefined ? {} : { requestInit: { headers, redirect: "error" as const } }),
      ...(login === undefined ? {} : { authProvider: createLoginProvider(login) }),
    };
    const transport = isSse ? new SseTransport(url, init) : new HttpTransport(url, init);
    // The label omits user, password and query, which may be secrets.
    return { transport, label: url.origin + url.pathname, isCommand: false };
  }
  if ("transport" in target) return { transport: target.transport, label: "the server", isCommand: false };
  const { command } = target;
  const label = `the command "${command.split(/[\\/]/).at(-1)}"`;
  return { transport: new ChildTransport(target), label, isCommand: true };
}

function toUrl(target: string | URL): URL {
  const url = target instanceof URL || URL.canParse(target) ? new URL(target) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  const found = url === undefined ? "it is no address" : `its protocol is "${url.protocol}"`;
  throw new ContractError(`Cannot connect: ${found}, wanted http or https`, {
    errorCode: "INVALID_FORMAT",
    remediation: 'Pass an address such as "http://127.0.0.1:3000/mcp", or { command, args }.',
    details: { field: "target", constraint: "format", expected: "an http or https address" },
  });
}
