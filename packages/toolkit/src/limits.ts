// Rate limits per client and tool, counted in this process or shared through PostgreSQL.
export { createRateLimiter, type RateLimiterOptions } from "./limits/create-rate-limiter.ts";
export type { PostgresClient, PostgresCounts } from "./limits/postgres-counter.ts";
export type { Quota, RateLimiter, RateRule } from "./limits/rate-limiter.ts";
