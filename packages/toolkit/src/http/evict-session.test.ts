import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EvictableSession, findSessionToEvict } from "./evict-session.ts";

const session = (owner: string | undefined, seenAt: number, isBusy = false): EvictableSession => ({
  owner,
  seenAt,
  pending: { size: isBusy ? 1 : 0 },
});
const find = (sessions: readonly EvictableSession[], newcomer?: string) =>
  findSessionToEvict(new Map(sessions.entries()), newcomer);

describe("the session to evict", () => {
  it.each<[string, readonly EvictableSession[], string | undefined, number | undefined]>([
    ["the least recently used", [session("ann", 2), session("ann", 1), session("ann", 3)], "bob", 1],
    [
      "one of the owner with the most sessions",
      [session("bob", 0), session("bob", 0), ...[1, 2, 3].map((at) => session("ann", at))],
      "cat",
      2,
    ],
    ["an idle one", [session("ann", 1, true), session("ann", 2)], "bob", 1],
    [
      "one of the next owner where all of theirs are busy",
      [session("ann", 0), session("ann", 0), ...[1, 2, 3].map(() => session("bob", 1, true))],
      "cat",
      0,
    ],
    [
      "none where the owner would keep fewer than the newcomer",
      [session("ann", 1), session("bob", 1)],
      "cat",
      undefined,
    ],
    ["none of the newcomer itself", [session("ann", 1), session("ann", 2)], "ann", undefined],
    [
      "none where callers have no names",
      [session(undefined, 1), session(undefined, 2)],
      undefined,
      undefined,
    ],
  ])("is %s", (_title, sessions, newcomer, expected) => {
    expect(find(sessions, newcomer)).toBe(expected);
  });

  it("never belongs to an owner who would then have fewer than the newcomer, and is never busy", () => {
    const sessionFacts = fc.record({
      owner: fc.constantFrom("ann", "bob", "cat"),
      seenAt: fc.nat(9),
      isBusy: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(sessionFacts), fc.constantFrom("ann", "bob", "cat", "dan"), (all, newcomer) => {
        const sessions = all.map(({ owner, seenAt, isBusy }) => session(owner, seenAt, isBusy));
        const countOf = (name: string | undefined) => sessions.filter(({ owner }) => owner === name).length;
        const found = find(sessions, newcomer);
        if (found === undefined) {
          const idle = sessions.filter(({ pending }) => pending.size === 0);
          expect(idle.every(({ owner }) => countOf(owner) < countOf(newcomer) + 2)).toBe(true);
        } else {
          const evicted = sessions[found];
          expect(evicted?.pending.size).toBe(0);
          expect(countOf(evicted?.owner) - 1).toBeGreaterThanOrEqual(countOf(newcomer) + 1);
        }
      }),
    );
  });
});
