import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DeadlineTimer, type TimedCall } from "./deadline-timer.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => vi.useRealTimers());

const after = (milliseconds: number, expire: () => void): TimedCall => ({
  at: performance.now() + milliseconds,
  next: undefined,
  previous: undefined,
  arm: () => {},
  expire,
});

describe("the deadline timer", () => {
  it("expires each call at its time, once, in whatever order they were added", () => {
    const timer = new DeadlineTimer();
    const expired: number[] = [];
    for (const time of [50, 10, 30, 20, 40]) timer.add(after(time, () => expired.push(time)));
    vi.advanceTimersByTime(25);
    expect(expired).toEqual([10, 20]);
    vi.advanceTimersByTime(1_000);
    expect(expired).toEqual([10, 20, 30, 40, 50]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("does not expire a removed call, and still expires a later one", () => {
    const timer = new DeadlineTimer();
    const expired: string[] = [];
    const first = after(10, () => expired.push("first"));
    timer.add(first);
    timer.remove(first);
    timer.remove(first);
    timer.add(after(20, () => expired.push("second")));
    vi.advanceTimersByTime(100);
    expect(expired).toEqual(["second"]);
  });

  it("removes a call from any place of its list", () => {
    for (const gone of [0, 1, 2]) {
      const timer = new DeadlineTimer();
      const expired: number[] = [];
      const all = [0, 1, 2].map((index) => after(10, () => expired.push(index)));
      for (const call of all) timer.add(call);
      timer.remove(all[gone]!);
      vi.advanceTimersByTime(20);
      expect(expired.sort()).toEqual([0, 1, 2].filter((index) => index !== gone));
    }
  });

  it("waits for a deadline that is further ahead than a timer can count", () => {
    const timer = new DeadlineTimer();
    const expire = vi.fn();
    timer.add(after(2 ** 33, expire));
    vi.advanceTimersByTime(2 ** 32);
    expect(expire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(2 ** 33);
    expect(expire).toHaveBeenCalledOnce();
  });
});
