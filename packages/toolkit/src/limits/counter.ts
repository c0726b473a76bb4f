import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Quota, RateRule } from "./rate-limiter.ts";

/** A rate limit rule, and the name under which clients see this rule. */
export interface Policy extends RateRule {
  readonly policy: string;
}

/** A counter of calls by key. */
export interface Counter {
  /** Counts one call under `key`, or under `sharedKey` if too many keys are in use. */
  take(key: string, sharedKey: string): Promise<Quota>;
}

/** The count of one key. */
interface Count {
  readonly remainingPoints: number;
  readonly msBeforeNext: number;
}

/**
 * A limiter of rate-limiter-flexible. The type is declared here, because the published types must not depend on that
 * package.
 */
interface Limiter {
  consume(key: string): Promise<Count>;
}

/** Creates a counter that keeps its keys in this process. */
export function createMemoryCounter(policy: Policy, maxKeys: number): Counter {
  const { limit, periodSeconds } = policy;
  const limiter = new RateLimiterMemory({ points: limit, duration: periodSeconds, keyPrefix: "" });
  return createCounter(policy, limiter, maxKeys);
}

/** Creates a counter that uses a limiter of rate-limiter-flexible, with at most `maxKeys` keys at a time. */
export function createCounter(
  { policy, limit, periodSeconds }: Policy,
  limiter: Limiter,
  maxKeys: number,
): Counter {
  const admitKey = createKeyLimit(periodSeconds, maxKeys);
  const toQuota = ({ remainingPoints, msBeforeNext }: Count, isAllowed: boolean): Quota => ({
    isAllowed,
    policy,
    limit,
    remaining: remainingPoints,
    periodSeconds,
    resetMs: msBeforeNext,
  });
  const allow = (counted: Count): Quota => toQuota(counted, true);
  /**
   * Converts a rejection of the library to a quota; if the limit is exceeded, the library throws an object
   * with the count.
   */
  const refuse = (thrown: unknown): Quota => {
    if (thrown instanceof RateLimiterRes) return toQuota(thrown, false);
    throw thrown;
  };
  return {
    take: (key, sharedKey) => limiter.consume(admitKey(key) ? key : sharedKey).then(allow, refuse),
  };
}

/**
 * Creates a function that returns true if a key is admitted. The number of keys in use at a time is limited,
 * because clients choose their own names. Clients whose key is not admitted share one key.
 */
function createKeyLimit(periodSeconds: number, maxKeys: number): (key: string) => boolean {
  /**
   * The end of each key's period. All periods are equally long, so the entries of the map are sorted by their end.
   */
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
