import { type ContractError, internal } from "@foundry-mcp/contract";
import { requireWhole } from "../options/require-option.ts";

/** So many calls in so much time. */
export interface RateRule {
  /** Calls per period, for each client and tool. */
  readonly limit: number;
  /** The length of a period in whole seconds; it begins with a client's first call. */
  readonly periodSeconds: number;
}

/** The longest time that a timer can hold: 24 days. */
const longestPeriod = 24 * 86_400;

/** Refuses a rule that would limit nothing, or everything. */
export function checkRule(name: string, rule: RateRule | undefined): void {
  requireWhole(1, Number.MAX_SAFE_INTEGER, { [`${name}limit`]: rule?.limit }, refuse);
  requireWhole(1, longestPeriod, { [`${name}periodSeconds`]: rule?.periodSeconds }, refuse);
}

/** The failure of options that make no limiter. */
export function refuse(fault: string, remediation: string): ContractError {
  return internal(`Cannot create a rate limiter: ${fault}`, { remediation });
}
