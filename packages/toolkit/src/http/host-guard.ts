import { type ContractError, forbidden } from "@foundry-mcp/contract";
import type { AllowedHosts } from "./allowed-hosts.ts";
import { isLoopbackName, loopbackNames } from "./loopback.ts";

/** Decides whether a request may be answered, from the host that the request names and the web page that sent it. */
export interface HostGuard {
  /** Returns the reason for refusing a request; undefined if the request may be answered. */
  check(request: Request, rules?: GuardRules): ContractError | undefined;
}

/** The rules of a route. */
export interface GuardRules {
  /**
   * True for a page that a link on any site may open in a tab of its own. The page itself must not be confidential and
   * must not be shown in a frame. @default false
   */
  readonly isPage?: boolean | undefined;
}

/**
 * Creates the guard against hostile web pages in a browser on this machine. A request of a hostile page
 * contains the page's host name in the header Host (DNS rebinding) or in the header Origin. Loopback names
 * are accepted with any port, because ports may be forwarded.
 */
export function createHostGuard({ allowedHosts = [], allowedOrigins }: Partial<AllowedHosts>): HostGuard {
  const isAllowedHost = (authority: string) => {
    const name = toHostName(authority);
    return name !== undefined && (isLoopbackName(name) || allowedHosts.includes(name));
  };
  const isAllowedOrigin = (origin: string) => {
    const [, scheme = "", authority = ""] = originForm.exec(origin.toLowerCase()) ?? [];
    const name = toHostName(authority);
    if (name === undefined) return false;
    if (allowedOrigins === undefined) return isWeb(scheme) && isAllowedHost(authority);
    return allowedOrigins.includes(name) || (!isWeb(scheme) && allowedOrigins.includes(`${scheme}://*`));
  };
  return {
    check({ url, headers }, { isPage = false } = {}) {
      // A host in the request target replaces the Host header (RFC 9112, 3.2.2), so both hosts are checked.
      const hosts = [headers.get("host") ?? "", new URL(url).host];
      if (!hosts.every(isAllowedHost)) return foreignHost(allowedHosts);
      const origin = headers.get("origin");
      if (origin !== null) return isAllowedOrigin(origin) ? undefined : foreignPage();
      // Browsers send no Origin for images, scripts and navigations, but Sec-Fetch-Site shows that another site
      // sent the request.
      if (headers.get("sec-fetch-site") !== "cross-site") return undefined;
      return isPage && isTopLevelNavigation(headers) ? undefined : foreignPage();
    },
  };
}

/**
 * The syntax of a serialized origin (RFC 6454). The syntax excludes a user name, a path and a second origin.
 */
const originForm = /^([a-z][a-z0-9+.-]*):\/\/([^/?#@]+)\/?$/;

/**
 * True for a request by which a browser opens a page in a tab: the site that contains the link cannot read the
 * answer.
 */
function isTopLevelNavigation(headers: Headers): boolean {
  return headers.get("sec-fetch-mode") === "navigate" && headers.get("sec-fetch-dest") === "document";
}

function isWeb(scheme: string): boolean {
  return scheme === "http" || scheme === "https";
}

/** Returns the host name without the port; undefined if the name is not written in canonical form. */
function toHostName(authority: string): string | undefined {
  const [, written] = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/.exec(authority.toLowerCase()) ?? [];
  if (written === undefined || !URL.canParse(`http://${written}`)) return undefined;
  const name = new URL(`http://${written}`).hostname;
  // Programs interpret other forms of addresses, such as 0x7f.1 and 0177.0.0.1, in different ways.
  return written === name ? name : undefined;
}

function foreignHost(allowedHosts: readonly string[]): ContractError {
  const names = [...new Set([...loopbackNames, ...allowedHosts])].join(", ");
  return forbidden("Cannot serve this host name", {
    remediation: `Use one of these host names: ${names}. Other names need tokens, and must be listed in the allowed hosts of the server.`,
  });
}

function foreignPage(): ContractError {
  return forbidden("Cannot serve a page of this origin", {
    remediation:
      "Call from a page of this machine or from a program. Other origins need tokens, and must be listed in the allowed origins of the server.",
  });
}
