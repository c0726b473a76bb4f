import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findSurplus, type Held } from "./evict-session.ts";

const held = (owner: string | undefined, seenAt: number, isBusy = false): Held => ({
  owner,
  seenAt,
  unanswered: { size: isBusy ? 1 : 0 },
});
const find = (sessions: readonly Held[], newcomer?: string) =>
  findSurplus(new Map(sessions.entries()), newcomer);

describe("the session that gives way", () => {
  it.each<[string, readonly Held[], string | undefined, number | undefined]>([
    ["silent longest", [held("ann", 2), held("ann", 1), held("ann", 3)], "bob", 1],
    [
      "of who holds most",
      [held("bob", 0), held("bob", 0), ...[1, 2, 3].map((at) => held("ann", at))],
      "cat",
      2,
    ],
    ["at rest", [held("ann", 1, true), held("ann", 2)], "bob", 1],
    [
      "of the next where all of theirs work",
      [held("ann", 0), held("ann", 0), ...[1, 2, 3].map(() => held("bob", 1, true))],
      "cat",
      0,
    ],
    ["none where they would hold fewer", [held("ann", 1), held("bob", 1)], "cat", undefined],
    ["none of one's own", [held("ann", 1), held("ann", 2)], "ann", undefined],
    ["none where nobody has a name", [held(undefined, 1), held(undefined, 2)], undefined, undefined],
  ])("is %s", (_title, sessions, newcomer, expected) => {
    expect(find(sessions, newcomer)).toBe(expected);
  });

  it("is never of someone who would then hold less than the newcomer, and never one that works", () => {
    const session = fc.record({
      owner: fc.constantFrom("ann", "bob", "cat"),
      seenAt: fc.nat(9),
      isBusy: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(session), fc.constantFrom("ann", "bob", "cat", "dan"), (all, newcomer) => {
        const sessions = all.map(({ owner, seenAt, isBusy }) => held(owner, seenAt, isBusy));
        const countOf = (name: string | undefined) => sessions.filter(({ owner }) => owner === name).length;
        const found = find(sessions, newcomer);
        if (found === undefined) {
          const able = sessions.filter(({ unanswered }) => unanswered.size === 0);
          expect(able.every(({ owner }) => countOf(owner) < countOf(newcomer) + 2)).toBe(true);
        } else {
          const given = sessions[found];
          expect(given?.unanswered.size).toBe(0);
          expect(countOf(given?.owner) - 1).toBeGreaterThanOrEqual(countOf(newcomer) + 1);
        }
      }),
    );
  });
});
