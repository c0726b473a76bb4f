// The checker: checks any MCP server against the contract and reports which rules it breaks.

// The check: takes a server and returns a report.
export { type CallsFile, parseCalls } from "./check/calls/calls-file.ts";
export { type PlannedCall, writeCalls } from "./check/calls/write-calls.ts";
export { checkServer, type ServerCheckOptions } from "./check/check-server.ts";
export type {
  CheckFinding,
  CheckReport,
  RuleResult,
  RuleStatus,
  ToolCoverage,
} from "./check/findings/check-report.ts";
export type { CheckTarget } from "./check/observe/session.ts";
// The rules: one table, and choices of them.
export type { Profile } from "./check/rules/profiles.ts";
export { type Area, areas, type Rule } from "./check/rules/rule.ts";
export { type CheckerRuleId, rules } from "./check/rules/rules.ts";
