import { describe, expect, it } from "vitest";
import { VerdictCache } from "./verdict-cache.ts";

const on = { isEnabled: true, reason: "default" };
const off = { isEnabled: false, reason: "default" };

describe("VerdictCache", () => {
  it("keeps a verdict for a second from the start of its evaluation", () => {
    let now = 5_000;
    const cache = new VerdictCache(() => now);
    const keep = cache.expect("f", "alice");
    now += 400;
    keep(on);
    now += 599;
    expect([cache.find("f", "alice"), cache.find("f", "bob"), cache.find("g", "alice")]).toEqual([
      on,
      undefined,
      undefined,
    ]);
    now += 1;
    expect(cache.find("f", "alice")).toBeUndefined();
  });

  it("does not return a verdict of the future after the clock was set back", () => {
    let now = 5_000;
    const cache = new VerdictCache(() => now);
    cache.expect("f", "alice")(on);
    now -= 1;
    expect(cache.find("f", "alice")).toBeUndefined();
  });

  it("does not store a verdict whose evaluation began before it was cleared", () => {
    const cache = new VerdictCache(() => 0);
    const keep = cache.expect("f", "alice");
    cache.expect("f", "bob")(on);
    cache.clear();
    keep(on);
    expect([cache.size, cache.find("f", "alice"), cache.find("f", "bob")]).toEqual([0, undefined, undefined]);
  });

  it("drops the oldest verdict when it is full", () => {
    const cache = new VerdictCache(() => 0, 3);
    for (const client of ["a", "b", "c"]) cache.expect("f", client)(on);
    cache.expect("f", "a")(off);
    cache.expect("f", "d")(on);
    expect(["a", "b", "c", "d"].map((client) => cache.find("f", client))).toEqual([off, undefined, on, on]);
    expect(cache.size).toBe(3);
  });

  it("does not store verdicts for clients with long names", () => {
    const cache = new VerdictCache(() => 0);
    cache.expect("f", "x".repeat(257))(on);
    expect(cache.size).toBe(0);
  });
});
