import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createDeadlines } from "./deadlines.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => vi.useRealTimers());

describe("deadlines", () => {
  it("expire each at its time, once, in whatever order they were added", () => {
    const deadlines = createDeadlines();
    const expired: number[] = [];
    for (const after of [50, 10, 30, 20, 40]) {
      deadlines.add({ at: performance.now() + after, expire: () => expired.push(after) });
    }
    vi.advanceTimersByTime(25);
    expect(expired).toEqual([10, 20]);
    vi.advanceTimersByTime(1_000);
    expect(expired).toEqual([10, 20, 30, 40, 50]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("that were removed do not expire, and a later one still does", () => {
    const deadlines = createDeadlines();
    const expired: string[] = [];
    const first = { at: performance.now() + 10, expire: () => expired.push("first") };
    deadlines.add(first);
    deadlines.remove(first);
    deadlines.add({ at: performance.now() + 20, expire: () => expired.push("second") });
    vi.advanceTimersByTime(100);
    expect(expired).toEqual(["second"]);
  });

  it("may lie further ahead than a timer can count", () => {
    const deadlines = createDeadlines();
    const expire = vi.fn();
    deadlines.add({ at: performance.now() + 2 ** 33, expire });
    vi.advanceTimersByTime(2 ** 32);
    expect(expire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(2 ** 33);
    expect(expire).toHaveBeenCalledOnce();
  });
});
