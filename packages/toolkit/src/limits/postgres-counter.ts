import { createHash } from "node:crypto";
import { RateLimiterMemory, RateLimiterPostgres } from "rate-limiter-flexible";
import { createCircuitBreaker } from "./circuit-breaker.ts";
import { type Counter, createCounter, type Policy } from "./counter.ts";
import { createSweep } from "./expired-rows.ts";
import { checkPostgresOptions, type PostgresCounts } from "./postgres-counts.ts";

/**
 * Creates counters that keep their keys in a table, which other processes use too. While the database cannot
 * count, each process counts by the same rule for itself.
 */
export function createPostgresCounters(counts: PostgresCounts): (policy: Policy, maxKeys: number) => Counter {
  checkPostgresOptions(counts);
  const steady = createCircuitBreaker(counts);
  const sweep = createSweep(counts);
  const storeClient = {
    query: async (statement: Parameters<typeof steady.query>[0]) => {
      const counted = await steady.query(statement);
      sweep();
      return counted;
    },
  };
  return (policy, maxKeys) => {
    const { limit: points, periodSeconds: duration } = policy;
    const limiter = new RateLimiterPostgres({
      points,
      duration,
      storeClient,
      storeType: "pool",
      ...(counts.schema === undefined ? {} : { schemaName: counts.schema }),
      tableName: counts.table,
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: counts.prefix,
      // Whoever has used up a quota costs the database nothing until it is whole again.
      inMemoryBlockOnConsumed: points,
      insuranceLimiter: new RateLimiterMemory({ points, duration, keyPrefix: "" }),
    });
    const counter = createCounter(policy, limiter, maxKeys);
    return { take: (key, shared) => counter.take(toColumn(key), toColumn(shared)) };
  };
}

/** Names of clients may be too long for the column, hold what no text of PostgreSQL may, and are nobody's to read. */
function toColumn(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
}
