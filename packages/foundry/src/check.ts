// The checker: holds any MCP server to the contract, and says rule by rule what falls short.

// The check: a server in, a report out.
export { type CallsFile, parseCalls } from "./check/calls/calls-file.ts";
export { checkServer, type ServerCheckOptions } from "./check/check-server.ts";
export type {
  CheckFinding,
  CheckReport,
  RuleResult,
  RuleStatus,
  ToolCoverage,
} from "./check/findings/check-report.ts";
export type { CheckTarget } from "./check/observe/session.ts";
// The rules: one table.
export { type Area, areas, type Rule } from "./check/rules/rule.ts";
export { type CheckerRuleId, rules } from "./check/rules/rules.ts";
