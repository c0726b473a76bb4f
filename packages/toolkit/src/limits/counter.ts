import { type RateLimiterAbstract, RateLimiterRes } from "rate-limiter-flexible";
import { createKeyRoom } from "./key-room.ts";
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

/** Creates a counter of what a limiter of the library keeps, with no more keys at one time than there is room for. */
export function createCounter(
  { policy, limit, periodSeconds }: Policy,
  limiter: Pick<RateLimiterAbstract, "consume">,
  maxKeys: number,
): Counter {
  const hasRoom = createKeyRoom(periodSeconds, maxKeys);
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
    take: (key, shared) => limiter.consume(hasRoom(key) ? key : shared).then(allow, refuse),
  };
}
