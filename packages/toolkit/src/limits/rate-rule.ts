import { type ContractError, internal } from "@foundry-mcp/contract";

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
  requireWhole(`${name}limit`, rule?.limit, Number.MAX_SAFE_INTEGER);
  requireWhole(`${name}periodSeconds`, rule?.periodSeconds, longestPeriod);
}

/** Refuses what is no whole number from 1 up. */
export function requireWhole(name: string, value: unknown, most: number): void {
  if (Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= most) return;
  const wanted = `a whole number from 1 to ${most}`;
  throw refuse(`${name} is ${String(value)}, not ${wanted}`, `Set ${name} to ${wanted}.`);
}

/** The failure of options that make no limiter. */
export function refuse(fault: string, remediation: string): ContractError {
  return internal(`Cannot create a rate limiter: ${fault}`, { remediation });
}
