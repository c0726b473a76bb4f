import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Quota } from "./rate-limiter.ts";
import type { RateRule } from "./rate-rule.ts";

/** A rule and the name by which clients hear of it. */
export interface Policy extends RateRule {
  readonly policy: string;
}

/** Counts under keys; where it keeps them is its own affair. */
export interface Counter {
  /** Counts one call under a key; under the other key where there is no room for another. */
  take(key: string, shared: string): Promise<Quota>;
}

/**
 * Creates a counter that keeps its keys in this process. Clients choose their own names, so the keys
 * that are in use at one time are bounded: past that, clients that are new share a key.
 */
export function createMemoryCounter({ policy, limit, periodSeconds }: Policy, maxKeys: number): Counter {
  const limiter = new RateLimiterMemory({ points: limit, duration: periodSeconds, keyPrefix: "" });
  /** When each key's period ends. All are as long, so the first to end stands first. */
  const ends = new Map<string, number>();
  /** Makes room for a key; false where there is none. */
  const enter = (key: string): boolean => {
    const now = Date.now();
    for (const [known, end] of ends) {
      if (end > now) break;
      ends.delete(known);
    }
    if (ends.has(key)) return true;
    if (ends.size >= maxKeys) return false;
    ends.set(key, now + periodSeconds * 1_000);
    return true;
  };
  const toQuota = ({ remainingPoints, msBeforeNext }: RateLimiterRes, isAllowed: boolean): Quota => ({
    isAllowed,
    policy,
    limit,
    remaining: remainingPoints,
    periodSeconds,
    resetMs: msBeforeNext,
  });
  const allow = (counted: RateLimiterRes): Quota => toQuota(counted, true);
  /** The library throws what it has counted where that is too much. */
  const refuse = (thrown: unknown): Quota => {
    if (thrown instanceof RateLimiterRes) return toQuota(thrown, false);
    throw thrown;
  };
  return {
    take: (key, shared) => limiter.consume(enter(key) ? key : shared).then(allow, refuse),
  };
}
