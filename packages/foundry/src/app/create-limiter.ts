import type { Logger } from "@foundry-mcp/toolkit";
import {
  createRateLimiter,
  type PostgresCounts,
  type RateLimiter,
  type RateLimiterOptions,
} from "@foundry-mcp/toolkit/limits";
import type { Settings } from "../config/settings.ts";

/** The tools by which operators watch a server or a gateway, also every two seconds. */
const unlimited: RateLimiterOptions["tools"] = { server: false, gateway: false };

/** Where the counts of a limiter are. */
export interface LimiterPlace {
  /** Opens the counts that several processes share; undefined if each process counts for itself. */
  readonly open: () => Promise<PostgresCounts | undefined>;
  readonly logger?: Logger | undefined;
}

/** Creates the rate limiter according to the settings. Servers that use the same database share its counts. */
export function createLimiter(
  { rate_limit: limit, store }: Settings,
  { open, logger }: LimiterPlace,
): RateLimiter | undefined {
  if (limit === 0) return undefined;
  const rule = { limit, periodSeconds: 60, tools: unlimited };
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
