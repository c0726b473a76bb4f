import { isLoopbackName } from "./loopback.ts";
import { refuseOption } from "./refuse-option.ts";

/**
 * The hosts and origins that requests may name in addition to loopback names. A server that allows additional
 * names must require tokens.
 */
export interface AllowedHosts {
  /** Additional host names that are allowed in the Host header; loopback names are always allowed. @default none */
  readonly allowedHosts: readonly string[];
  /** Host names of web pages that may call the server. @default the loopback names and allowedHosts */
  readonly allowedOrigins: readonly string[];
}

/** Throws for a host name that no request could match, and for additional names on a server without tokens. */
export function requireAllowedHosts(given: Partial<AllowedHosts>, hasTokens: boolean): void {
  for (const option of ["allowedHosts", "allowedOrigins"] as const) {
    const names: readonly string[] | undefined = given[option];
    if (names === undefined) continue;
    requireHostNames(option, names);
    const at = hasTokens ? -1 : names.findIndex((name) => !isLoopbackName(name));
    if (at >= 0) {
      throw refuseOption(
        `${option}[${at}] ${JSON.stringify(names[at])} needs tokens: a server without tokens serves this machine only`,
        `Name who may call in tokens, or leave ${option} out.`,
        option,
      );
    }
  }
}

function requireHostNames(option: keyof AllowedHosts, names: unknown): void {
  // An empty list of origins is valid and means that no web page may call.
  if (!Array.isArray(names) || (names.length === 0 && option === "allowedHosts")) {
    const fault = Array.isArray(names) ? "empty, so it would match nothing" : "no list";
    throw refuseOption(`${option} is ${fault}`, `Name a host, or leave ${option} out.`, option);
  }
  names.forEach((name: unknown, index) => {
    // A host name matches only in its canonical form: lower case, IPv6 in brackets.
    if (typeof name === "string" && (hostNameIn(name) === name || isScheme(option, name))) return;
    const path = `${option}[${index}]`;
    if (typeof name !== "string" || name.trim() === "") {
      throw refuseOption(`${path} is blank`, "Name a host, such as harbour.example.", option);
    }
    const meant = hostNameIn(name);
    throw refuseOption(
      `${path} ${JSON.stringify(name.slice(0, 100))} is no host name, so it would match nothing`,
      `Write ${meant === undefined ? "each host by its name" : JSON.stringify(meant)}: no scheme, port, path or *.`,
      option,
    );
  });
}

/**
 * True for an origin that allows all pages with a program's own URL scheme, such as `vscode-webview://*`. Web pages
 * must be named individually.
 */
function isScheme(option: string, name: string): boolean {
  return option === "allowedOrigins" && /^[a-z][a-z0-9+.-]*:\/\/\*$/.test(name) && !/^https?:/.test(name);
}

/** Returns the host name in a name, address or URL; undefined if there is none. */
function hostNameIn(written: string): string | undefined {
  const text = written.trim();
  if (text.includes("*")) return undefined;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  for (const url of [address, `http://[${text}]`]) {
    if (URL.canParse(url)) return new URL(url).hostname || undefined;
  }
  return undefined;
}
