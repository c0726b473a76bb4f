import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Quota, RateRule } from "./rate-limiter.ts";

/** A rule, and the name by which clients see it. */
export interface Policy extends RateRule {
  readonly policy: string;
}

/** Counts calls under keys. */
export interface Counter {
  /** Counts one call under `key`, or under `sharedKey` where too many keys are in use. */
  take(key: string, sharedKey: string): Promise<Quota>;
}

/** Creates a counter that keeps its keys in this process. */
export function createMemoryCounter(policy: Policy, maxKeys: number): Counter {
  const { limit, periodSeconds } = policy;
  const limiter = new RateLimiterMemory({ points: limit, duration: periodSeconds, keyPrefix: "" });
  return createCounter(policy, limiter, maxKeys);
}

/** Creates a counter on a limiter of rate-limiter-flexible, with at most `maxKeys` keys at one time. */
export function createCounter(
  { policy, limit, periodSeconds }: Policy,
  limiter: Pick<RateLimiterAbstract, "consume">,
  maxKeys: number,
): Counter {
  const admitKey = createKeyLimit(periodSeconds, maxKeys);
  const toQuota = ({ remainingPoints, msBeforeNext }: RateLimiterRes, isAllowed: boolean): Quota => ({
    isAllowed,
    policy,
    limit,
    remaining: remainingPoints,
    periodSeconds,
    resetMs: msBeforeNext,
  });
  const allow = (counted: RateLimiterRes): Quota => toQuota(counted, true);
  /** The library throws its count where the limit is exceeded. */
  const refuse = (thrown: unknown): Quota => {
    if (thrown instanceof RateLimiterRes) return toQuota(thrown, false);
    throw thrown;
  };
  return {
    take: (key, sharedKey) => limiter.consume(admitKey(key) ? key : sharedKey).then(allow, refuse),
  };
}

/**
 * Bounds the keys in use at one time, since clients choose their own names: returns whether a key is
 * admitted. Clients that are not admitted share a key.
 */
function createKeyLimit(periodSeconds: number, maxKeys: number): (key: string) => boolean {
  /** The end of each key's period. All periods are equally long, so the map is sorted by end. */
  const ends = new Map<string, number>();
  return (key) => {
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
}
