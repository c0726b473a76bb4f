import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { CallClock } from "./call-clock.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("ends a call after silence", () => {
  const clock = new CallClock({ silenceMs: 5_000, totalMs: 30_000 });
  vi.advanceTimersByTime(4_999);
  expect([clock.expired, clock.signal.aborted]).toEqual([undefined, false]);
  vi.advanceTimersByTime(1);
  expect([clock.expired, clock.signal.aborted]).toEqual(["silence", true]);
});

it("is extended by progress, up to the total", () => {
  const clock = new CallClock({ silenceMs: 5_000, totalMs: 12_000 });
  for (let second = 0; second < 11; second++) {
    vi.advanceTimersByTime(1_000);
    clock.touch();
  }
  expect(clock.expired).toBeUndefined();
  vi.advanceTimersByTime(1_000);
  expect([clock.expired, clock.signal.aborted]).toEqual(["total", true]);
  clock.touch();
  expect(vi.getTimerCount()).toBe(0);
});

it("calls it silence where both limits are equal and no progress came", () => {
  const clock = new CallClock({ silenceMs: 5_000, totalMs: 5_000 });
  vi.advanceTimersByTime(5_000);
  expect(clock.expired).toBe("silence");
});

it("leaves no timer when it is stopped", () => {
  const clock = new CallClock({ silenceMs: 5_000, totalMs: 12_000 });
  clock.touch();
  clock.stop();
  vi.advanceTimersByTime(20_000);
  expect([clock.expired, clock.signal.aborted, vi.getTimerCount()]).toEqual([undefined, false, 0]);
});
