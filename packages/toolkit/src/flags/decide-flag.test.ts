import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideFlag, flagBucket } from "./decide-flag.ts";
import type { FlagDefinition } from "./flag-definition.ts";
import { type GivenFlags, parseFlags } from "./parse-flags.ts";

const now = Date.parse("2027-01-01T00:00:00Z");
const past = "2026-12-31";
const future = "2027-01-02";

function decide(given: GivenFlags, client = "alice", flag = "f") {
  return decideFlag(parseFlags(given), flag, { client, now });
}

const decideOne = (definition: FlagDefinition, client?: string) =>
  decide({ flags: { f: definition, off: {}, on: { default: true } } }, client);

describe("each rule takes precedence over the rules after it", () => {
  // Every row adds one rule to the row below, and the added rule reverses the verdict.
  const plain: FlagDefinition = { default: true };
  const rows: readonly (readonly [string, GivenFlags, { isEnabled: boolean; reason: string }])[] = [
    ["default", { flags: { f: plain } }, { isEnabled: true, reason: "default" }],
    [
      "percentage before default",
      { flags: { f: { ...plain, percentage: 0 } } },
      { isEnabled: false, reason: "percentage" },
    ],
    [
      "allowed before percentage",
      { flags: { f: { ...plain, percentage: 0, allow: ["alice"] } } },
      { isEnabled: true, reason: "allowed" },
    ],
    [
      "dependency before allowed",
      { flags: { f: { ...plain, percentage: 0, allow: ["alice"], dependencies: ["off"] }, off: {} } },
      { isEnabled: false, reason: "dependency" },
    ],
    [
      "not allowed before dependency",
      { flags: { f: { ...plain, allow: ["bob"], dependencies: ["off"] }, off: {} } },
      { isEnabled: false, reason: "not_allowed" },
    ],
    [
      "blocked before allowed",
      { flags: { f: { ...plain, allow: ["alice"], block: ["alice"] } } },
      { isEnabled: false, reason: "blocked" },
    ],
    [
      "expired before blocked",
      { flags: { f: { ...plain, block: ["alice"], expiresAt: past } } },
      { isEnabled: true, reason: "expired" },
    ],
    [
      "override before expired",
      { flags: { f: { ...plain, expiresAt: past } }, overrides: { f: false } },
      { isEnabled: false, reason: "override" },
    ],
    [
      "client override before override",
      {
        flags: { f: { ...plain, expiresAt: past } },
        overrides: { f: false },
        clientOverrides: { alice: { f: true } },
      },
      { isEnabled: true, reason: "client_override" },
    ],
    ["unknown", { flags: { g: plain } }, { isEnabled: false, reason: "unknown" }],
  ];

  it.each(rows)("%s", (_name, given, expected) => {
    expect(decide(given)).toEqual(expected);
  });

  it("applies an override of one client to that client only", () => {
    const given = { flags: { f: {} }, clientOverrides: { alice: { f: true }, constructor: { f: true } } };
    expect(decide(given, "alice")).toEqual({ isEnabled: true, reason: "client_override" });
    expect(decide(given, "bob")).toEqual({ isEnabled: false, reason: "default" });
    expect(decide(given, "constructor")).toEqual({ isEnabled: true, reason: "client_override" });
    expect(decide(given, "toString")).toEqual({ isEnabled: false, reason: "default" });
    expect(decide(given, "alice", "toString")).toEqual({ isEnabled: false, reason: "unknown" });
  });
});

describe("expiry", () => {
  it.each([
    [past, { default: true }, { isEnabled: true, reason: "expired" }],
    [past, { default: false, percentage: 99, allow: ["alice"] }, { isEnabled: false, reason: "expired" }],
    [future, { default: true }, { isEnabled: true, reason: "default" }],
    ["2027-01-01", { default: true }, { isEnabled: true, reason: "expired" }],
    ["2027-01-01T00:00:00.001Z", { default: true }, { isEnabled: true, reason: "default" }],
    ["2027-01-01T01:00:00+01:00", { default: true }, { isEnabled: true, reason: "expired" }],
  ])("at %s with %j", (expiresAt, definition, expected) => {
    expect(decideOne({ ...definition, expiresAt })).toEqual(expected);
  });
});

describe("dependencies", () => {
  it("allow a flag where all of them are on, also transitively", () => {
    const flags = {
      f: { default: true, dependencies: ["a", "b"] },
      a: { default: true, dependencies: ["c"] },
      b: { allow: ["alice"] },
      c: { default: true },
    };
    expect(decide({ flags })).toEqual({ isEnabled: true, reason: "default" });
    expect(decide({ flags }, "bob")).toEqual({ isEnabled: false, reason: "dependency" });
    expect(decide({ flags, overrides: { c: false } })).toEqual({ isEnabled: false, reason: "dependency" });
    const clientOverrides = { bob: { b: true } };
    expect(decide({ flags, clientOverrides }, "bob")).toEqual({ isEnabled: true, reason: "default" });
  });

  it("do not turn on a flag whose own rules have it off", () => {
    expect(decideOne({ dependencies: ["on"] })).toEqual({ isEnabled: false, reason: "default" });
  });

  it("are decided once, however many flags depend on one", () => {
    // Each of the 60 flags has two dependencies, so an evaluation without memoization would never end.
    const flags = Object.fromEntries(
      Array.from({ length: 60 }, (_, step) => [
        [`a${step}`, { default: true, dependencies: step === 0 ? [] : [`a${step - 1}`, `b${step - 1}`] }],
        [`b${step}`, { default: true, dependencies: step === 0 ? [] : [`a${step - 1}`, `b${step - 1}`] }],
      ]).flat(),
    );
    expect(decide({ flags }, "alice", "a59")).toEqual({ isEnabled: true, reason: "default" });
  });
});

describe("percentage", () => {
  const isOn = (percentage: number, client: string) => decideOne({ percentage }, client).isEnabled;

  it.each([
    [{ default: false }, { isEnabled: false, reason: "default" }],
    [
      { default: false, percentage: 100 },
      { isEnabled: true, reason: "percentage" },
    ],
    [
      { default: true, percentage: 100 },
      { isEnabled: true, reason: "percentage" },
    ],
    [
      { default: true, percentage: 0 },
      { isEnabled: false, reason: "percentage" },
    ],
  ])("and default: %j", (definition, expected) => {
    expect(decideOne(definition)).toEqual(expected);
  });

  it("decides whatever the default says", () => {
    for (const client of ["alice", "bob", "carol"]) {
      const percentage = 50;
      expect(decideOne({ default: true, percentage }, client)).toEqual(decideOne({ percentage }, client));
    }
  });

  it("uses the MD5 buckets of other implementations", () => {
    // int(hashlib.md5(f"{flag}:{client}".encode()).hexdigest(), 16) % 100 + 1
    const pairs = [
      ["new_ui", "alice", 24],
      ["new_ui", "bob", 37],
      ["beta.search", "zoë", 96],
      ["x", "", 93],
      ["new_ui", "client-7", 91],
    ] as const;
    expect(pairs.map(([flag, client]) => flagBucket(flag, client))).toEqual(pairs.map(([, , at]) => at));
    const flags = { new_ui: { percentage: 24 } };
    expect(decide({ flags }, "alice", "new_ui")).toEqual({ isEnabled: true, reason: "percentage" });
    flags.new_ui.percentage = 23;
    expect(decide({ flags }, "alice", "new_ui")).toEqual({ isEnabled: false, reason: "percentage" });
  });

  it("is stable for a client, and a higher percentage keeps every client of a lower one", () => {
    const below100 = fc.nat(99);
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), below100, below100, (client, a, b) => {
        const [less, more] = a < b ? [a, b] : [b, a];
        expect(isOn(less, client)).toBe(isOn(less, client));
        expect(isOn(less, client) && !isOn(more, client)).toBe(false);
      }),
    );
  });

  it.each([1, 10, 50, 90, 99])("is on for about %i of 100 clients", (percentage) => {
    const clients = Array.from({ length: 10_000 }, (_, index) => `client-${index}`);
    const share = clients.filter((client) => isOn(percentage, client)).length / 100;
    // The tolerance is four standard deviations of a binomial distribution.
    const spread = 4 * Math.sqrt((percentage * (100 - percentage)) / 10_000);
    expect(Math.abs(share - percentage)).toBeLessThan(spread);
  });

  it("does not choose the same clients for every flag", () => {
    const clients = Array.from({ length: 1_000 }, (_, index) => `client-${index}`);
    const both = clients.filter((client) => flagBucket("a", client) <= 50 && flagBucket("b", client) <= 50);
    expect(both.length).toBeGreaterThan(180);
    expect(both.length).toBeLessThan(320);
  });
});
