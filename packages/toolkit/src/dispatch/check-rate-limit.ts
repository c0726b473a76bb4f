import {
  type ContractError,
  internal,
  type RateLimitOptions,
  rateLimited,
  type WarningDetail,
  warning,
} from "@foundry-mcp/contract";
import type { Quota } from "../limits/rate-limiter.ts";
import type { Journey } from "./call-state.ts";
import type { Target } from "./find-action.ts";
import { createCallCounter } from "./telemetry/instruments.ts";

const countRefused = createCallCounter("foundry.calls.rate_limited", "Calls refused by a rate limit");

/** Takes a call from the client's quota; a promise where that must be asked for. What is over it is refused. */
export function takeQuota(journey: Journey, { tool }: Target): undefined | Promise<void> {
  const { rateLimiter } = journey.host;
  if (rateLimiter === undefined) return undefined;
  const taken = rateLimiter.take(journey.clientKey, tool.name);
  if (taken instanceof Promise) return taken.then((quota) => judge(journey, quota));
  return judge(journey, taken);
}

function judge(journey: Journey, taken: Quota | undefined): undefined {
  if (taken === undefined || taken === null) return undefined;
  const quota = readQuota(taken);
  journey.quota = quota;
  if (quota.isAllowed) {
    if (isRunningLow(quota)) journey.warn(approaching(quota));
    return undefined;
  }
  countRefused({ "gen_ai.tool.name": journey.tool?.name });
  throw rateLimited({ ...toRateLimit(quota), retryAfter: Math.ceil(quota.resetMs / 1_000) });
}

/** A limiter may be anyone's: what it gives goes to clients, so it must be what it says. */
function readQuota({ isAllowed, policy, limit, remaining, periodSeconds, resetMs }: Quota): Quota {
  if (typeof isAllowed !== "boolean" || typeof policy !== "string") throw unreadable();
  const counts = [limit, remaining, periodSeconds, resetMs];
  if (!counts.every((count) => typeof count === "number" && Number.isFinite(count))) throw unreadable();
  return {
    isAllowed,
    policy,
    limit: Math.max(0, Math.floor(limit)),
    remaining: Math.max(0, Math.floor(remaining)),
    periodSeconds,
    resetMs: Math.max(0, resetMs),
  };
}

function unreadable(): ContractError {
  return internal("Cannot count the call: the rate limiter gave no quota");
}

/** Below this share of the quota the answer says how much is left. */
const lowShare = 1 / 5;

/** Whether the client should slow down. */
export function isRunningLow({ limit, remaining }: Quota): boolean {
  return remaining < limit * lowShare;
}

/** What `meta.rate_limit` says of a quota. */
export function toRateLimit({ limit, remaining, resetMs, periodSeconds }: Quota): RateLimitOptions {
  return { limit, remaining, resetAt: new Date(Date.now() + resetMs), period: toPeriod(periodSeconds) };
}

function approaching({ limit, remaining, resetMs }: Quota): WarningDetail {
  const message = `${remaining} of ${limit} calls are left for the next ${Math.ceil(resetMs / 1_000)} seconds`;
  return warning("RATE_LIMIT_APPROACHING", message, { limit, remaining });
}

const periods: readonly (readonly [seconds: number, name: string])[] = [
  [1, "second"],
  [60, "minute"],
  [3_600, "hour"],
  [86_400, "day"],
];

function toPeriod(seconds: number): string {
  return periods.find(([length]) => length === seconds)?.[1] ?? `${seconds} seconds`;
}
