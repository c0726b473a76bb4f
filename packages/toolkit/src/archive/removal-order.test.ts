import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toRemovalOrder } from "./removal-order.ts";

/** Parses entries such as `a1:10`: owner `a`, time 1 and size 10. */
const parse = (text: string) =>
  text.split(" ").map((name) => {
    const [owner = "", time, size] = name.split(/(?<=[a-z])|:/);
    return { name, owner, createdAt: Number(time), size: Number(size) };
  });
const order = (text: string, expiredAt = 0) => toRemovalOrder(parse(text), expiredAt).map(({ name }) => name);

describe("the order of removal", () => {
  it.each<[string, string, number, string]>([
    ["the oldest first of one owner", "a3:10 a1:10 a2:10", 0, "a1:10 a2:10 a3:10"],
    ["the owner with the most first", "b1:10 a2:10 a3:10 a4:10", 0, "a2:10 a3:10 b1:10 a4:10"],
    ["the most bytes, not the most entries", "b1:10 b2:10 a3:90", 0, "a3:90 b1:10 b2:10"],
    ["expired ones before all others", "b1:10 b2:10 a3:90 b4:1", 2, "b1:10 b2:10 a3:90 b4:1"],
    ["the later of equally old ones as the newer", "a1:10 a1:11 b1:5", 0, "a1:10 a1:11 b1:5"],
  ])("takes %s", (_title, entries, expiredAt, expected) => {
    expect(order(entries, expiredAt)).toEqual(expected.split(" "));
  });

  it("never removes from an owner while another one holds more", () => {
    const entry = fc.record({
      owner: fc.constantFrom("a", "b", "c"),
      createdAt: fc.integer({ min: 1, max: 20 }),
      size: fc.integer({ min: 1, max: 50 }),
    });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 30 }), (entries) => {
        const left = [...entries];
        const bytesOf = (name: string) =>
          left.reduce((sum, { owner, size }) => (owner === name ? sum + size : sum), 0);
        for (const removed of toRemovalOrder(entries, 0)) {
          for (const { owner } of left) expect(bytesOf(removed.owner)).toBeGreaterThanOrEqual(bytesOf(owner));
          const own = left.filter(({ owner }) => owner === removed.owner);
          expect(own.every(({ createdAt }) => createdAt >= removed.createdAt)).toBe(true);
          left.splice(left.indexOf(removed), 1);
        }
        expect(left).toEqual([]);
      }),
    );
  });
});
