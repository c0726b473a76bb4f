import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createShares, type Holding, type Shares } from "./shares.ts";

interface Held extends Holding {
  readonly name: string;
}

/**
 * Creates shares, and a function that adds holdings named by owner and number; `gone` lists the displaced holdings
 * in order.
 */
function createTable(options: {
  limit: number;
  limitOfOwner?: number;
  own?: "refuse";
  choose?: (candidates: Iterable<Held>) => Held | undefined;
}) {
  const shares: Shares<Held> = createShares(options);
  const present = new Map<string, Held>();
  const gone: string[] = [];
  let count = 0;
  const add = (owner: string, size?: number): boolean => {
    count += 1;
    const name = `${owner}${count}`;
    const held: Held = {
      name,
      owner,
      size,
      giveWay: () => {
        present.delete(name);
        gone.push(name);
      },
    };
    if (!shares.add(held)) return false;
    present.set(name, held);
    return true;
  };
  const countOf = (owner: string) => [...present.values()].filter((held) => held.owner === owner).length;
  return { shares, present, gone, add, countOf };
}

describe("shares of a limited resource", () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ["the oldest of the owner with the most", ["a", "b", "a", "c"], ["a1"]],
    ["the oldest of the newcomer's owner where that has the most", ["a", "a", "b", "a"], ["a1"]],
    ["the newcomer's own oldest in a tie", ["a", "a", "b", "b"], ["b3"]],
    ["the oldest of all where everybody has one", ["a", "b", "c", "d", "e"], ["a1", "b2"]],
    [
      "one after another of a greedy owner, until the others have as many",
      [..."aaabcbbc"],
      ["a1", "a2", "b4", "b6", "c5"],
    ],
  ])("%s gives way", (_title, owners, expected) => {
    const { add, gone } = createTable({ limit: 3 });
    for (const owner of owners) expect(add(owner)).toBe(true);
    expect(gone).toEqual(expected);
  });

  it.each<["refuse" | undefined, readonly boolean[], readonly string[]]>([
    [undefined, [true, true, true, true, true], ["a1", "a2"]],
    ["refuse", [true, true, false, false, true], []],
  ])(
    "an owner has at most its own limit, although the resource is not used up (own: %s)",
    (own, added, gave) => {
      const { add, gone, countOf } = createTable({ limit: 10, limitOfOwner: 2, ...(own && { own }) });
      expect([..."aaaab"].map((owner) => add(owner))).toEqual(added);
      expect([gone, countOf("a"), countOf("b")]).toEqual([gave, 2, 1]);
    },
  );

  it("an owner with the most is refused one more where its own do not give way, and others still get in", () => {
    const { add, gone } = createTable({ limit: 3, own: "refuse" });
    expect([..."aaaabb"].map((owner) => add(owner))).toEqual([true, true, true, false, true, false]);
    expect(gone).toEqual(["a1"]);
  });

  it("sizes count, and a newcomer that alone exceeds the limit is the only one that stays", () => {
    const { add, gone, shares, present } = createTable({ limit: 10 });
    add("a", 4);
    add("a", 4);
    add("b", 4);
    expect([gone, shares.total]).toEqual([["a1"], 8]);
    add("b", 20);
    expect([gone, shares.total, [...present.keys()]]).toEqual([["a1", "b3", "a2"], 20, ["b4"]]);
    add("c", 1);
    expect([gone.at(-1), shares.total]).toEqual(["b4", 1]);
  });

  it("what has ended is not counted, and may end twice", () => {
    const { add, gone, shares, present } = createTable({ limit: 1 });
    add("a");
    const first = present.get("a1") as Held;
    shares.delete(first);
    shares.delete(first);
    expect(shares.total).toBe(0);
    add("b");
    expect(gone).toEqual([]);
    add("a");
    shares.delete(first);
    expect([gone, shares.total]).toEqual([["b2"], 1]);
  });

  it("a choice of the user decides among the holdings of one owner, and among owners with equally many", () => {
    const last = (candidates: Iterable<Held>) => [...candidates].at(-1);
    const { add, gone } = createTable({ limit: 4, choose: last });
    for (const owner of "aabbc") add(owner);
    expect(gone).toEqual(["b4"]);
  });

  it("after any sequence, another owner always gets in, and the limit is never exceeded", () => {
    const steps = fc.array(fc.record({ owner: fc.constantFrom(..."abcd"), ends: fc.boolean() }), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom(undefined, "refuse" as const),
        steps,
        (limit, own, all) => {
          const { add, countOf, shares, present } = createTable({
            limit,
            ...(own === undefined ? {} : { own }),
          });
          for (const { owner, ends } of all) {
            const [before, others] = [
              countOf(owner),
              "abcd".split("").map((name) => [name, countOf(name)] as const),
            ];
            const isAdmitted = add(owner);
            expect(isAdmitted || (own === "refuse" && before > 0)).toBe(true);
            expect(shares.total).toBe(present.size);
            expect(shares.total).toBeLessThanOrEqual(limit);
            // An owner that lost a holding still has as many as the newcomer, unless there are more owners than
            // places.
            for (const [name, had] of others) {
              const lost = name !== owner && countOf(name) < had;
              if (lost && before > 0) expect(countOf(name)).toBeGreaterThanOrEqual(countOf(owner));
            }
            const [oldest] = present.values();
            if (ends && oldest !== undefined) {
              present.delete(oldest.name);
              shares.delete(oldest);
            }
          }
          expect(add("newcomer")).toBe(true);
          expect(shares.total).toBeLessThanOrEqual(limit);
        },
      ),
    );
  });
});
