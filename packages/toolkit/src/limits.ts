// Rate limits per client and tool, counted in this process.
export { createRateLimiter, type RateLimiterOptions } from "./limits/create-rate-limiter.ts";
export type { Quota, RateLimiter } from "./limits/rate-limiter.ts";
export type { RateRule } from "./limits/rate-rule.ts";
