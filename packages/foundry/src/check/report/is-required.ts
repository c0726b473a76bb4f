import type { CheckReport, RuleResult } from "../findings/check-report.ts";

/** True where the check does not pass while this is unchecked. */
export function isRequired({ rule, level }: RuleResult, { unchecked }: CheckReport): boolean {
  return level === "MUST" || unchecked.some(({ what }) => what === rule);
}
