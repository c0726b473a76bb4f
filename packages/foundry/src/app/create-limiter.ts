import type { Logger } from "@foundry-mcp/toolkit";
import {
  createRateLimiter,
  type PostgresCounts,
  type RateLimiter,
  type RateLimiterOptions,
} from "@foundry-mcp/toolkit/limits";
import type { Settings } from "../config/settings.ts";

/** Where the counts of a limiter are, and which tools it exempts. */
export interface LimiterPlace {
  /** The own tools by which operators watch the program, also every two seconds. */
  readonly unlimited: readonly string[];
  /** Opens the counts that several processes share; undefined if each process counts for itself. */
  readonly open: () => Promise<PostgresCounts | undefined>;
  readonly logger?: Logger | undefined;
}

/** Creates the rate limiter according to the settings. Servers that use the same database share its counts. */
export function createLimiter(
  { rate_limit: limit, store }: Settings,
  { open, logger, unlimited }: LimiterPlace,
): RateLimiter | undefined {
  if (limit === 0) return undefined;
  const tools: RateLimiterOptions["tools"] = Object.fromEntries(unlimited.map((name) => [name, false]));
  const rule = { limit, periodSeconds: 60, tools };
  const local = createRateLimiter(rule);
  if (store === "file") return local;
  // The first call opens the database. While the database is unavailable, this server counts its own calls only.
  let shared: Promise<RateLimiter> | undefined;
  const openShared = async (): Promise<RateLimiter> => {
    const counts = await open();
    return counts === undefined ? local : createRateLimiter({ ...rule, postgres: { ...counts, logger } });
  };
  return {
    async take(client, tool) {
      shared ??= openShared();
      const limiter = await shared.catch(() => {
        shared = undefined;
        return local;
      });
      return limiter.take(client, tool);
    },
  };
}
