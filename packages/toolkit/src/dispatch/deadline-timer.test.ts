import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Deadline, Deadlines } from "./deadline-timer.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => vi.useRealTimers());

const after = (milliseconds: number, expire: () => void): Deadline => ({
  at: performance.now() + milliseconds,
  next: undefined,
  previous: undefined,
  expire,
});

describe("deadlines", () => {
  it("expire each at its time, once, in whatever order they were added", () => {
    const deadlines = new Deadlines();
    const expired: number[] = [];
    for (const time of [50, 10, 30, 20, 40]) deadlines.add(after(time, () => expired.push(time)));
    vi.advanceTimersByTime(25);
    expect(expired).toEqual([10, 20]);
    vi.advanceTimersByTime(1_000);
    expect(expired).toEqual([10, 20, 30, 40, 50]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("that were removed do not expire, and a later one still does", () => {
    const deadlines = new Deadlines();
    const expired: string[] = [];
    const first = after(10, () => expired.push("first"));
    deadlines.add(first);
    deadlines.remove(first);
    deadlines.remove(first);
    deadlines.add(after(20, () => expired.push("second")));
    vi.advanceTimersByTime(100);
    expect(expired).toEqual(["second"]);
  });

  it("can be removed from anywhere among others", () => {
    for (const gone of [0, 1, 2]) {
      const deadlines = new Deadlines();
      const expired: number[] = [];
      const all = [0, 1, 2].map((index) => after(10, () => expired.push(index)));
      for (const deadline of all) deadlines.add(deadline);
      deadlines.remove(all[gone]!);
      vi.advanceTimersByTime(20);
      expect(expired.sort()).toEqual([0, 1, 2].filter((index) => index !== gone));
    }
  });

  it("may lie further ahead than a timer can count", () => {
    const deadlines = new Deadlines();
    const expire = vi.fn();
    deadlines.add(after(2 ** 33, expire));
    vi.advanceTimersByTime(2 ** 32);
    expect(expire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(2 ** 33);
    expect(expire).toHaveBeenCalledOnce();
  });
});
