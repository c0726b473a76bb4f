import {
  type ContractError,
  internal,
  type RateLimit,
  rateLimited,
  type WarningDetail,
  warning,
} from "@foundry-mcp/contract";
import type { Quota } from "../limits/rate-limiter.ts";
import type { CallState } from "./call-state.ts";
import type { Target } from "./find-action.ts";
import { createCallCounter } from "./telemetry/instruments.ts";

const countRefused = createCallCounter("foundry.calls.rate_limited", "Calls refused by a rate limit");

/**
 * Counts a call against the client's rate limit and refuses a call above the limit; returns a promise if the
 * limiter is asynchronous.
 */
export function checkRateLimit(state: CallState, { tool }: Target): undefined | Promise<void> {
  const { rateLimiter } = state.deps;
  if (rateLimiter === undefined) return undefined;
  const taken = rateLimiter.take(state.clientKey, tool.name);
  if (taken instanceof Promise) return taken.then((quota) => applyQuota(state, quota));
  return applyQuota(state, taken);
}

function applyQuota(state: CallState, taken: Quota | undefined): undefined {
  if (taken === undefined || taken === null) return undefined;
  const quota = parseQuota(taken);
  state.quota = quota;
  if (quota.isAllowed) {
    if (isRunningLow(quota)) state.warn(approachingLimit(quota));
    return undefined;
  }
  countRefused({ "gen_ai.tool.name": state.tool?.name });
  const { limit, remaining, reset_at: resetAt, period } = toRateLimit(quota);
  throw rateLimited({ limit, remaining, resetAt, period, retryAfter: Math.ceil(quota.resetMs / 1_000) });
}

/**
 * Validates the quota returned by a limiter, because the limiter may be third-party code and clients receive its
 * numbers.
 */
function parseQuota({ isAllowed, policy, limit, remaining, periodSeconds, resetMs }: Quota): Quota {
  if (typeof isAllowed !== "boolean" || typeof policy !== "string") throw invalidQuota();
  const counts = [limit, remaining, periodSeconds, resetMs];
  if (!counts.every((count) => typeof count === "number" && Number.isFinite(count))) throw invalidQuota();
  return {
    isAllowed,
    policy,
    limit: Math.max(0, Math.floor(limit)),
    remaining: Math.max(0, Math.floor(remaining)),
    periodSeconds,
    resetMs: Math.min(Math.max(0, resetMs), maxResetMs),
  };
}

/** The maximum time until a reset is a century, so that the reset time is always a valid date. */
const maxResetMs = 100 * 365 * 86_400_000;

function invalidQuota(): ContractError {
  return internal("Cannot count the call: the rate limiter gave no quota");
}

/** The share of the quota below which responses contain a warning. */
const lowShare = 1 / 5;

/** True if so little of the quota is left that the client should slow down. */
function isRunningLow({ limit, remaining }: Quota): boolean {
  return remaining < limit * lowShare;
}

/** Converts a quota to the form of `meta.rate_limit`. */
export function toRateLimit({ limit, remaining, resetMs, periodSeconds }: Quota): RateLimit {
  const resetAt = new Date(Date.now() + resetMs).toISOString();
  return { limit, remaining, reset_at: resetAt, period: toPeriod(periodSeconds) };
}

function approachingLimit({ limit, remaining, resetMs }: Quota): WarningDetail {
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
