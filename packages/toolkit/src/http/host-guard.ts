import { type ContractError, forbidden } from "@foundry-mcp/contract";
import type { AllowedHosts } from "./allowed-hosts.ts";
import { isLoopbackName, loopbackNames } from "./loopback.ts";

/** Decides whether a request may be answered, by the host it names and the page it comes from. */
export interface HostGuard {
  /** Returns why a request is refused; undefined when it may be answered. */
  check(request: Request): ContractError | undefined;
}

/**
 * Creates the guard against pages in a browser on this machine: their requests carry the name that the page was loaded
 * from in Host (DNS rebinding) or in Origin. Loopback names pass with any port, since ports may be forwarded.
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
    check({ url, headers }) {
      // The target of a request may name a host, too, and then counts in place of the header (RFC 9112, 3.2.2).
      const hosts = [headers.get("host") ?? "", new URL(url).host];
      if (!hosts.every(isAllowedHost)) return foreignHost(allowedHosts);
      const origin = headers.get("origin");
      if (origin !== null) return isAllowedOrigin(origin) ? undefined : foreignPage();
      // Browsers send no Origin for images, scripts and navigations, but say that another site asks.
      return headers.get("sec-fetch-site") === "cross-site" ? foreignPage() : undefined;
    },
  };
}

/** A serialized origin (RFC 6454); user names, paths and several origins have no place in it. */
const originForm = /^([a-z][a-z0-9+.-]*):\/\/([^/?#@]+)\/?$/;

function isWeb(scheme: string): boolean {
  return scheme === "http" || scheme === "https";
}

/** Returns the name in a host with or without a port; undefined where it is not written in canonical form. */
function toHostName(authority: string): string | undefined {
  const [, written] = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/.exec(authority.toLowerCase()) ?? [];
  if (written === undefined || !URL.canParse(`http://${written}`)) return undefined;
  const name = new URL(`http://${written}`).hostname;
  // Programs read other forms of addresses, such as 0x7f.1 and 0177.0.0.1, differently.
  return written === name ? name : undefined;
}

function foreignHost(allowedHosts: readonly string[]): ContractError {
  const names = [...new Set([...loopbackNames, ...allowedHosts])].join(", ");
  return forbidden("Cannot serve this host name", {
    remediation: `Call the server as one of ${names}. Other names need tokens and a place in the allowed hosts of its configuration.`,
  });
}

function foreignPage(): ContractError {
  return forbidden("Cannot serve a page of this origin", {
    remediation:
      "Call from a page of this machine or from a program. Other origins need tokens and a place in the allowed origins of the server's configuration.",
  });
}
