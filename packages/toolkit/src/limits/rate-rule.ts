import { type ContractError, internal } from "@foundry-mcp/contract";
import { requireWhole } from "../options/require-option.ts";

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
