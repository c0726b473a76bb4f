import type {
  CheckFinding,
  CheckReport,
  RuleResult,
  RuleStatus,
  ToolCoverage,
} from "../findings/check-report.ts";
import type { Skip } from "../findings/ledger.ts";
import { rules } from "../rules/rules.ts";
import type { CheckFacts } from "./idle-reasons.ts";

/** What a report is made of. */
export interface ReportParts {
  readonly target: string;
  readonly serverInfo: { readonly name: string; readonly version: string } | undefined;
  readonly protocolVersion: string | undefined;
  readonly facts: CheckFacts;
  readonly results: readonly RuleResult[];
  /** What rules could not be exercised on, although they could be elsewhere. */
  readonly skips: readonly Skip[];
  readonly findings: readonly CheckFinding[];
  readonly tools: readonly ToolCoverage[];
  /** Why the server may have further tools. */
  readonly rest?: string | undefined;
  readonly calls: number;
  readonly durationMs: number;
}

/** Makes the report, and the verdict: what was not checked has not passed. */
export function toReport(parts: ReportParts): CheckReport {
  const { results, tools, serverInfo, facts } = parts;
  const counts: Record<RuleStatus, number> = {
    passed: 0,
    failed: 0,
    warned: 0,
    noted: 0,
    not_checked: 0,
    not_applicable: 0,
  };
  for (const { status } of results) counts[status]++;
  const unchecked = [
    ...(facts.exhausted === undefined ? [] : [{ what: "the rest of the check", reason: facts.exhausted }]),
    ...(parts.rest === undefined ? [] : [{ what: "further tools", reason: parts.rest }]),
    ...results
      .filter(({ status, level }) => status === "not_checked" && level === "MUST")
      .map(({ rule, reason = "" }) => ({ what: rule as string, reason })),
    ...parts.skips
      .filter(({ rule }) => rules[rule].level === "MUST")
      .map(({ rule, subject, reason }) => ({ what: `${rule} of ${subject}`, reason })),
    ...tools
      .filter(({ status }) => status === "not_checked")
      .map(({ tool, reason = "" }) => ({ what: tool, reason })),
  ];
  return {
    verdict: counts.failed > 0 ? "failed" : unchecked.length > 0 ? "incomplete" : "passed",
    server: {
      target: parts.target,
      ...(serverInfo === undefined ? {} : { name: serverInfo.name, version: serverInfo.version }),
      ...(parts.protocolVersion === undefined ? {} : { protocol_version: parts.protocolVersion }),
    },
    dialect: facts.dialect,
    counts,
    calls: parts.calls,
    rules: results,
    findings: parts.findings,
    tools,
    unchecked,
    duration_ms: Math.round(parts.durationMs),
  };
}
