import { describe, expect, it } from "vitest";
import { chooseSessionToEvict, type EvictableSession, isIdle } from "./evict-session.ts";

const session = (seenAt: number, calls = 0, streams = 0): EvictableSession => ({
  seenAt,
  pending: { size: calls },
  streams,
});

describe("the session that gives way", () => {
  it.each<[string, readonly EvictableSession[], number | undefined]>([
    ["the least recently used", [session(2), session(1), session(3)], 1],
    ["an idle one before one with a stream", [session(1, 0, 1), session(2)], 1],
    ["one with a stream before one with calls", [session(1, 1), session(2, 0, 1)], 1],
    ["the least recently used where all have calls", [session(2, 1), session(1, 9, 1)], 1],
    ["none where there is none", [], undefined],
  ])("is %s", (_title, sessions, expected) => {
    const chosen = chooseSessionToEvict(sessions);
    expect(chosen === undefined ? undefined : sessions.indexOf(chosen)).toBe(expected);
  });

  it("is idle without calls and streams", () => {
    expect([session(1), session(1, 1), session(1, 0, 1)].map(isIdle)).toEqual([true, false, false]);
  });
});
