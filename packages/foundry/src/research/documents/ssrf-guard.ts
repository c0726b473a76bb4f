import type { lookup as lookupName } from "node:dns";
import { BlockList, isIP, isIPv4, isIPv6, type LookupFunction } from "node:net";
import { UnusableDocument } from "./unusable-document.ts";

/** Returns true for an IP address to which connections are allowed. */
export type AddressFilter = (address: string) => boolean;

/**
 * Creates a DNS lookup for connections that refuses a host if any of its addresses is not allowed. A name that resolves
 * to both a public and a private address is an attempt at DNS rebinding.
 */
export function guardedLookup(lookup: typeof lookupName, isAllowed: AddressFilter): LookupFunction {
  return (name, options, callback) => {
    lookup(name, { ...options, all: true }, (err, addresses) => {
      if (err !== null) return callback(err, "", 0);
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isAllowed(address)))
        return callback(notPublic(), "", 0);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/**
 * Refuses a URL whose host is an IP address that is not allowed. The lookup does not cover this case, because no name
 * is looked up.
 */
export function requireAllowedHost(url: URL, isAllowed: AddressFilter): void {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && !isAllowed(host)) throw notPublic();
}

function notPublic(): UnusableDocument {
  return new UnusableDocument("forbidden", "It is at an address that is not of the public internet");
}

/** IPv4 networks that are not public: loopback, private, link-local, multicast, reserved. */
const isReservedIPv4 = createMatcher("ipv4", [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
]);

/** The IPv6 global unicast range. Every other IPv6 network is private or unassigned. */
const isGlobalIPv6 = createMatcher("ipv6", [["2000::", 3]]);

/**
 * Reserved networks within global unicast: protocol assignments, documentation, and 6to4 tunnels, which can end
 * anywhere.
 */
const isReservedIPv6 = createMatcher("ipv6", [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
]);

/** IPv4 addresses written as IPv6: IPv4-mapped addresses and NAT64 addresses. */
const isEmbeddedIPv4 = createMatcher("ipv6", [
  ["::ffff:0.0.0.0", 96],
  ["64:ff9b::", 96],
]);

/** Returns true for an IP address of the public internet, and false for any other text. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !isReservedIPv4(address);
  // An address with a zone index is only valid on a link of this machine.
  if (!isIPv6(address) || address.includes("%")) return false;
  if (isEmbeddedIPv4(address)) return !isReservedIPv4(toIPv4(address));
  return isGlobalIPv6(address) && !isReservedIPv6(address);
}

/** Returns the IPv4 address in the last four bytes of an IPv6 address. */
function toIPv4(address: string): string {
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(":").slice(-2);
  const numbers = groups.map((group) => Number.parseInt(group || "0", 16));
  return numbers.flatMap((number) => [number >> 8, number & 0xff]).join(".");
}

function createMatcher(
  family: "ipv4" | "ipv6",
  networks: readonly (readonly [address: string, prefix: number])[],
): AddressFilter {
  const list = new BlockList();
  for (const [address, prefix] of networks) list.addSubnet(address, prefix, family);
  return (address) => list.check(address, family);
}
