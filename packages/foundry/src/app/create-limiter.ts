import type { Logger } from "@foundry-mcp/toolkit";
import { createRateLimiter, type RateLimiter } from "@foundry-mcp/toolkit/limits";
import type { Settings } from "../config/settings.ts";
import type { OpenWorkspace } from "./open-workspace.ts";

/** Counts calls as the settings say: with all servers of a database together, else for this server alone. */
export function createLimiter(
  { rate_limit: limit, store }: Settings,
  workspace: OpenWorkspace,
  logger?: Logger,
): RateLimiter | undefined {
  if (limit === 0) return undefined;
  const rule = { limit, periodSeconds: 60, tools: { server: false } } as const;
  if (store === "file") return createRateLimiter(rule);
  // The database is looked for with the first call, and while it is away this server counts for itself.
  let shared: Promise<RateLimiter> | undefined;
  const alone = createRateLimiter(rule);
  const find = async (): Promise<RateLimiter> => {
    const { counts } = await workspace.home();
    return counts === undefined ? alone : createRateLimiter({ ...rule, postgres: { ...counts, logger } });
  };
  return {
    async take(client, tool) {
      shared ??= find();
      const limiter = await shared.catch(() => {
        shared = undefined;
        return alone;
      });
      return limiter.take(client, tool);
    },
  };
}
