import { RateLimiterMemory } from "rate-limiter-flexible";
import { type Counter, createCounter, type Policy } from "./counter.ts";

/** Creates a counter that keeps its keys in this process. */
export function createMemoryCounter(policy: Policy, maxKeys: number): Counter {
  const { limit, periodSeconds } = policy;
  const limiter = new RateLimiterMemory({ points: limit, duration: periodSeconds, keyPrefix: "" });
  return createCounter(policy, limiter, maxKeys);
}
