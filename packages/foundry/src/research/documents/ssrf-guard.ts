import { BlockList, isIPv4, isIPv6 } from "node:net";

type Network = readonly [address: string, prefix: number];

/** Networks of the old kind that are no part of the internet: machines, private ones, links, groups, what is set aside. */
const reserved: readonly Network[] = [
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
];

/** Of the new kind, this one network is the internet; all else is private, or nobody's yet. */
const internet: readonly Network[] = [["2000::", 3]];

/** What is set aside within it: for protocols and tunnels, whose ends may be anywhere, and for examples. */
const reservedWithin: readonly Network[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

/** Addresses of the old kind, written as ones of the new: for programs, and for networks that translate. */
const translated: readonly Network[] = [
  ["::ffff:0.0.0.0", 96],
  ["64:ff9b::", 96],
];

const isReserved = matcherOf(reserved, "ipv4");
const isInternet = matcherOf(internet, "ipv6");
const isReservedWithin = matcherOf(reservedWithin, "ipv6");
const isTranslated = matcherOf(translated, "ipv6");

/** True for an address of the public internet; what is no address is none. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !isReserved(address);
  // A zone names a link of this machine.
  if (!isIPv6(address) || address.includes("%")) return false;
  if (isTranslated(address)) return !isReserved(toOldKind(address));
  return isInternet(address) && !isReservedWithin(address);
}

/** The address of the old kind that the last four bytes are. */
function toOldKind(address: string): string {
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(":").slice(-2);
  const numbers = groups.map((group) => Number.parseInt(group || "0", 16));
  return numbers.flatMap((number) => [number >> 8, number & 0xff]).join(".");
}

function matcherOf(networks: readonly Network[], kind: "ipv4" | "ipv6"): (address: string) => boolean {
  const list = new BlockList();
  for (const [address, prefix] of networks) list.addSubnet(address, prefix, kind);
  return (address) => list.check(address, kind);
}
