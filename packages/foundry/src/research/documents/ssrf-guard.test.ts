import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isPublicAddress } from "./ssrf-guard.ts";

/** The first and last address of each reserved network, and their public neighbours. */
const networks: readonly (readonly [
  name: string,
  first: string,
  last: string,
  before?: string | undefined,
  after?: string,
])[] = [
  ["this network", "0.0.0.0", "0.255.255.255", undefined, "1.0.0.0"],
  ["private, large", "10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"],
  ["shared by carriers", "100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"],
  ["this machine", "127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"],
  ["link", "169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"],
  ["private, middle", "172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"],
  ["protocols", "192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0"],
  ["examples 1", "192.0.2.0", "192.0.2.255", "192.0.1.255", "192.0.3.0"],
  ["relays of 6to4", "192.88.99.0", "192.88.99.255", "192.88.98.255", "192.88.100.0"],
  ["private, small", "192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"],
  ["measuring", "198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"],
  ["examples 2", "198.51.100.0", "198.51.100.255", "198.51.99.255", "198.51.101.0"],
  ["examples 3", "203.0.113.0", "203.0.113.255", "203.0.112.255", "203.0.114.0"],
  ["groups and the rest", "224.0.0.0", "255.255.255.255", "223.255.255.255"],
  ["all before the internet", "::2", "::fffe:ffff:ffff"],
  ["no address", "::", "::"],
  ["this machine, new", "::1", "::1"],
  ["the old kind, as it was written once", "::8.8.8.8", "::127.0.0.1"],
  ["the old kind, translated", "::ffff:0:8.8.8.8", "::ffff:0:7f00:1"],
  ["NAT64 of its own", "64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"],
  ["nowhere", "100::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", undefined, "2000::"],
  ["protocols and Teredo", "2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2000:ffff::", "2001:200::"],
  ["examples, new", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db7::", "2001:db9::"],
  ["6to4", "2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:ffff::", "2003::"],
  ["6to4 of this machine", "2002:7f00:1::", "2002:808:808::1"],
  ["examples, newest", "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "3ffe:ffff::", "3fff:1000::"],
  ["all behind the internet", "4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:ffff::"],
  ["segments", "5f00::", "5f00:ffff::"],
  ["unique local", "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["link, new", "fe80::", "febf:ffff::"],
  ["site", "fec0::", "feff:ffff::"],
  ["groups, new", "ff00::", "ff02::1"],
];

describe("isPublicAddress", () => {
  test.each(networks)("%s: %s to %s", (_, first = "", last = "", before, after) => {
    expect([isPublicAddress(first), isPublicAddress(last)]).toEqual([false, false]);
    for (const neighbour of [before, after])
      if (neighbour !== undefined) expect(isPublicAddress(neighbour), neighbour).toBe(true);
  });

  test.each(["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "2A00:1450::8a", "2620:0:0:0:0:0:0:1"])(
    "%s is public",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  test.each([
    "",
    "localhost",
    "example.com",
    "8.8.8",
    "8.8.8.8.",
    " 8.8.8.8",
    "08.8.8.8",
    "0x8.8.8.8",
    "134744072",
    "[2606::1]",
    "8.8.8.8:80",
    "fe80::1%eth0",
    "2606:4700::1%lo",
    "::ffff:8.8.8.8%1",
  ])("%j is no public address", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test("checks an IPv4 address that is embedded in IPv6", () => {
    const old = fc.oneof(
      fc.ipV4(),
      fc.constantFrom("127.0.0.1", "10.0.0.1", "169.254.169.254", "0.0.0.0", "8.8.8.8", "172.31.0.1"),
    );
    fc.assert(
      fc.property(old, (address) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        const written = [
          `::ffff:${address}`,
          `::ffff:${hex}`,
          `0:0:0:0:0:FFFF:${hex}`,
          `64:ff9b::${address}`,
          `64:ff9b::${hex}`,
        ];
        expect(written.map(isPublicAddress)).toEqual(written.map(() => isPublicAddress(address)));
        expect(isPublicAddress(`::${hex}`)).toBe(false);
        expect(isPublicAddress(`2002:${hex}::1`)).toBe(false);
      }),
    );
  });

  test("accepts no address outside global unicast", () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const first = Number.parseInt(
          new URL(`http://[${address}]`).hostname.slice(1).split(":")[0] || "0",
          16,
        );
        if (isPublicAddress(address))
          expect((first >= 0x2000 && first <= 0x3fff) || first === 0x64 || first === 0).toBe(true);
      }),
    );
  });
});
