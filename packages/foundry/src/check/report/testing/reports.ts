import type { CheckReport, RuleResult, RuleStatus } from "../../findings/check-report.ts";
import { type CheckerRuleId, rules } from "../../rules/rules.ts";

/** A rule result with area, level and title from the table of rules. */
export function resultOf(rule: CheckerRuleId, status: RuleStatus, own: Partial<RuleResult> = {}): RuleResult {
  const { area, level, title } = rules[rule];
  return { rule, area, level, title, status, checks: 4, broken: 0, ...own };
}

/** A report with counts derived from its rules. */
export function reportOf(own: Partial<CheckReport> & Pick<CheckReport, "verdict" | "rules">): CheckReport {
  const count = (status: RuleStatus) => own.rules.filter((rule) => rule.status === status).length;
  return {
    server: { target: "node server.js", name: "tides", version: "1.2.0", protocol_version: "2025-11-25" },
    profile: "contract",
    dialect: "response-v2",
    counts: {
      passed: count("passed"),
      failed: count("failed"),
      warned: count("warned"),
      noted: count("noted"),
      not_checked: count("not_checked"),
      not_applicable: count("not_applicable"),
    },
    calls: 18,
    findings: [],
    tools: [{ tool: "tide", status: "checked", calls: 18, successes: 10, failures: 8 }],
    unchecked: [],
    duration_ms: 1_234,
    ...own,
  };
}

/** The report of a server that keeps every rule that applies. */
export const passedReport = reportOf({
  verdict: "passed",
  rules: [
    resultOf("RV2-01", "passed"),
    resultOf("RV2-02", "passed"),
    resultOf("MCP-11", "passed"),
    resultOf("MCP-41", "not_applicable", { checks: 0, reason: "No answer carries meta.pagination." }),
  ],
});

/** The report of a server without envelopes that is checked with the profile mcp. */
export const plainReport = reportOf({
  verdict: "passed",
  profile: "mcp",
  rules: [
    resultOf("RV2-01", "not_applicable", { checks: 0, reason: "it is not in the profile mcp" }),
    resultOf("MCP-17", "passed"),
    resultOf("MCP-25", "warned", { broken: 1 }),
  ],
  findings: [
    {
      rule: "MCP-25",
      level: "SHOULD",
      tool: "tide",
      arguments: { foundry_unknown: 1 },
      message: "an argument that it does not know is ignored: foundry_unknown",
      remedy: "Refuse unknown arguments by name.",
    },
  ],
  wrapping: { adds: ["RV2-01", "MCP-11"], fixes: ["MCP-25"] },
});

/** The report of a server for which required checks could not be made. */
export const partialReport = reportOf({
  verdict: "incomplete",
  server: { target: "https://tides.example/mcp" },
  calls: 1,
  rules: [
    resultOf("RV2-01", "passed"),
    resultOf("MCP-41", "not_checked", { checks: 0, reason: "No list had a second page." }),
    resultOf("MCP-47", "not_checked", { checks: 0, reason: "No list had a second page." }),
    resultOf("MCP-25", "warned", { broken: 1 }),
  ],
  findings: [
    {
      rule: "MCP-25",
      level: "SHOULD",
      tool: "tide",
      arguments: { port: "dover", foundry_unknown: 1 },
      message: "The call succeeded.",
      remedy: rules["MCP-25"].remedy,
    },
  ],
  tools: [
    {
      tool: "tide",
      status: "checked",
      calls: 1,
      successes: 1,
      failures: 0,
      unseen_actions: ["remove", "purge"],
    },
    {
      tool: "wipe",
      status: "not_checked",
      calls: 0,
      successes: 0,
      failures: 0,
      reason: "It may change something.",
    },
  ],
  unchecked: [
    { what: "MCP-41", reason: "No list had a second page." },
    { what: "wipe", reason: "It may change something." },
    { what: "resources", reason: "The server ended." },
  ],
});

/** The report of a server that breaks rules of every level. */
export const brokenReport = reportOf({
  verdict: "failed",
  rules: [
    resultOf("RV2-01", "passed"),
    resultOf("RV2-06", "noted", { broken: 1 }),
    resultOf("MCP-03", "warned", { broken: 2 }),
    resultOf("MCP-11", "failed", { checks: 20, broken: 17 }),
    resultOf("MCP-12", "passed"),
  ],
  findings: [
    {
      rule: "RV2-06",
      level: "MAY",
      tool: "tide",
      arguments: { port: "dover" },
      path: "meta.extra",
      message: "The key is not one of the contract.",
      remedy: rules["RV2-06"].remedy,
    },
    {
      rule: "MCP-03",
      level: "SHOULD",
      tool: "tide",
      path: "description",
      message: "It is missing.",
      remedy: rules["MCP-03"].remedy,
    },
    ...["a", "b", "c", "d"].map((port) => ({
      rule: "MCP-11" as const,
      level: "MUST" as const,
      tool: "tide",
      arguments: { port },
      path: "structuredContent.data.rows",
      message: "The structured content has 3 rows, the text has 2.",
      evidence: '{"rows":[1,2,3]} <> {"rows":[1,2]}',
      remedy: rules["MCP-11"].remedy,
    })),
  ],
});
