import { type ContractError, forbidden } from "@foundry-mcp/contract";
import { validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server";
import { refuseOption } from "./refuse-option.ts";

/** The hosts and origins that requests may name: a defence against DNS rebinding by pages in a browser. */
export interface AllowedHosts {
  /** Names in the Host header. @default the loopback names */
  readonly allowedHosts: readonly string[];
  /** Host names of pages that may call. @default the same as allowedHosts */
  readonly allowedOrigins: readonly string[];
}

/** The names by which a machine reaches only itself. */
export const loopbackNames: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** Returns why a request's Host or Origin header is refused; undefined when both are allowed. */
export function checkHostHeaders(
  headers: Headers,
  { allowedHosts, allowedOrigins }: AllowedHosts,
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

/** Refuses a list of host names that no request could match. */
export function requireHostNames(option: keyof AllowedHosts, names: unknown): void {
  // An empty list of origins is valid: no page may call.
  if (!Array.isArray(names) || (names.length === 0 && option === "allowedHosts")) {
    const fault = Array.isArray(names) ? "empty, so it would match nothing" : "no list";
    throw refuseOption(`${option} is ${fault}`, `Name a host, or leave ${option} out.`);
  }
  names.forEach((name: unknown, index) => {
    // A host name matches only in its canonical form: lower case, IPv6 in brackets.
    if (typeof name === "string" && (toHostName(name) === name || isScheme(option, name))) return;
    const path = `${option}[${index}]`;
    if (typeof name !== "string" || name.trim() === "") {
      throw refuseOption(`${path} is blank`, "Name a host, such as harbour.example.");
    }
    const meant = toHostName(name);
    throw refuseOption(
      `${path} ${JSON.stringify(name.slice(0, 100))} is no host name, so it would match nothing`,
      `Write ${meant === undefined ? "each host by its name" : JSON.stringify(meant)}: no scheme, port, path or *.`,
    );
  });
}

/** True for all pages of a program's scheme, such as `vscode-webview://*`; pages of the web are named one by one. */
function isScheme(option: string, name: string): boolean {
  return option === "allowedOrigins" && /^[a-z][a-z0-9+.-]*:\/\/\*$/.test(name) && !/^https?:/.test(name);
}

/** Returns the host name in a name, address or URL; undefined where there is none. */
function toHostName(written: string): string | undefined {
  const text = written.trim();
  if (text.includes("*")) return undefined;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  for (const url of [address, `http://[${text}]`]) {
    if (URL.canParse(url)) return new URL(url).hostname || undefined;
  }
  return undefined;
}
