import { type ContractError, internal } from "@foundry-mcp/contract";
import { requireWhole } from "../options/require-option.ts";

/** The quota of a client: the number of calls that the client may still make in the current period. */
export interface Quota {
  readonly isAllowed: boolean;
  /** The name of the limit, such as `default` or the name of a tool. */
  readonly policy: string;
  /** The number of calls per period. */
  readonly limit: number;
  readonly remaining: number;
  readonly periodSeconds: number;
  /** The time until the period ends and the quota is full again, in milliseconds. */
  readonly resetMs: number;
}

/** A limiter that counts calls per client and tool. */
export interface RateLimiter {
  /** Counts one call against the quota; undefined if the tool has no limit. */
  take(client: string, tool: string): Quota | undefined | Promise<Quota | undefined>;
}

/** A limit of calls per period. */
export interface RateRule {
  /** The number of calls per period, for each client and tool. */
  readonly limit: number;
  /** The length of a period in whole seconds; a period begins with a client's first call. */
  readonly periodSeconds: number;
}

/** The maximum period in seconds: 24 days, because longer delays exceed the maximum of timers. */
const maxPeriodSeconds = 24 * 86_400;

/** Throws for an invalid rule; `path` is the prefix of the option names in the error. */
export function checkRule(path: string, rule: RateRule | undefined): void {
  requireWhole(1, Number.MAX_SAFE_INTEGER, { [`${path}limit`]: rule?.limit }, refuse);
  requireWhole(1, maxPeriodSeconds, { [`${path}periodSeconds`]: rule?.periodSeconds }, refuse);
}

/** Creates the error of invalid rate limiter options. */
export function refuse(fault: string, remediation: string): ContractError {
  return internal(`Cannot create a rate limiter: ${fault}`, { remediation });
}
