import { describe, expect, it } from "vitest";
import { type Point, toSlope } from "../bench/soak/slope.ts";
import { createRandom } from "../bench/statistics.ts";

const hour = Array.from({ length: 3_600 }, (_, second) => second);

describe("the slope of a soak", () => {
  it("finds a leak of a few megabytes an hour in a noisy memory", () => {
    const random = createRandom(1);
    const leaking = toSlope(hour.map((second): Point => [second, 100 + second / 600 + 10 * random()]));
    expect(leaking?.slope).toBeCloseTo(6, 0);
    expect(leaking?.low).toBeGreaterThan(0);
  });

  it("is not different from zero where memory only varies", () => {
    const random = createRandom(2);
    const steady = toSlope(hour.map((second): Point => [second, 100 + 10 * random()]));
    expect(steady?.low).toBeLessThan(0);
    expect(steady?.high).toBeGreaterThan(0);
  });

  it("leaves out the warm-up, and says nothing of a run that is too short", () => {
    expect(toSlope(hour.map((second): Point => [second, Math.min(second, 1_000)]))).toEqual({
      slope: 0,
      low: 0,
      high: 0,
    });
    expect(toSlope(hour.slice(0, 20).map((second): Point => [second, second]))).toBeUndefined();
  });
});
