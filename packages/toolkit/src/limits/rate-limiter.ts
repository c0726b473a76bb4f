import { type ContractError, internal } from "@foundry-mcp/contract";
import { requireWhole } from "../options/require-option.ts";

/** The quota of a client: what is left of its calls per period. */
export interface Quota {
  readonly isAllowed: boolean;
  /** The name of the limit, such as `default` or the name of a tool. */
  readonly policy: string;
  /** Calls per period. */
  readonly limit: number;
  readonly remaining: number;
  readonly periodSeconds: number;
  /** The time until the period ends and the quota is full again, in milliseconds. */
  readonly resetMs: number;
}

/** Counts calls per client and tool. */
export interface RateLimiter {
  /** Counts one call against the quota; undefined where the tool has no limit. */
  take(client: string, tool: string): Quota | undefined | Promise<Quota | undefined>;
}

/** A limit of calls per period. */
export interface RateRule {
  /** Calls per period, for each client and tool. */
  readonly limit: number;
  /** The length of a period in whole seconds; it begins with a client's first call. */
  readonly periodSeconds: number;
}

/** The longest period that a timer can hold: 24 days. */
const maxPeriodSeconds = 24 * 86_400;

/** Throws for a rule that would limit nothing, or everything; `path` is the prefix of its options' names. */
export function checkRule(path: string, rule: RateRule | undefined): void {
  requireWhole(1, Number.MAX_SAFE_INTEGER, { [`${path}limit`]: rule?.limit }, refuse);
  requireWhole(1, maxPeriodSeconds, { [`${path}periodSeconds`]: rule?.periodSeconds }, refuse);
}

/** The error of invalid rate limiter options. */
export function refuse(fault: string, remediation: string): ContractError {
  return internal(`Cannot create a rate limiter: ${fault}`, { remediation });
}
