import { ContractError } from "@foundry-mcp/contract";
import type { Transport } from "@modelcontextprotocol/client";
import { boundedFetch } from "./bounded-fetch.ts";
import { ChildTransport } from "./child-transport.ts";
import type { CommandTarget, ConnectOptions } from "./connect-target.ts";
import { HttpTransport } from "./http-transport.ts";

/** A transport, and how to call its other end in a message. */
export interface OpenedTransport {
  readonly transport: Transport;
  readonly label: string;
  readonly isCommand: boolean;
}

/** Opens the transport that a target asks for; nothing is started or sent yet. */
export function openTransport(
  target: string | URL | CommandTarget | { readonly transport: Transport },
  { headers }: ConnectOptions,
): OpenedTransport {
  if (typeof target === "string" || target instanceof URL) {
    const url = toUrl(target);
    const transport = new HttpTransport(url, {
      fetch: boundedFetch,
      // Headers may be secrets, and a redirect would hand them to whomever it leads to.
      ...(headers === undefined ? {} : { requestInit: { headers, redirect: "error" } }),
    });
    // Without user, password and query: those may be secrets.
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
