import type { Dialect } from "@foundry-mcp/contract";
import type {
  CheckFinding,
  CheckReport,
  RuleResult,
  RuleStatus,
  ToolCoverage,
} from "../findings/check-report.ts";
import type { Skip } from "../findings/ledger.ts";
import { isInProfile, isKeptByWrapping, needsEnvelopes, type Profile } from "../rules/profiles.ts";
import { type CheckerRuleId, rules } from "../rules/rules.ts";

/** The parts of a report. */
export interface ReportParts {
  readonly target: string;
  readonly serverInfo: { readonly name: string; readonly version: string } | undefined;
  readonly protocolVersion: string | undefined;
  readonly facts: CheckFacts;
  readonly results: readonly RuleResult[];
  /** Subjects on which a rule could not be exercised, although the rule was exercised on other subjects. */
  readonly skips: readonly Skip[];
  readonly findings: readonly CheckFinding[];
  readonly tools: readonly ToolCoverage[];
  /** The reason why the server may have more tools than were read. Undefined if all tools were read. */
  readonly moreReason?: string | undefined;
  readonly calls: number;
  readonly durationMs: number;
}

/** Builds the report and its verdict. A required rule that was not checked prevents a pass. */
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
    ...(facts.stopReason === undefined ? [] : [{ what: "the rest of the check", reason: facts.stopReason }]),
    ...(parts.moreReason === undefined ? [] : [{ what: "further tools", reason: parts.moreReason }]),
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
    profile: facts.profile,
    dialect: facts.dialect,
    counts,
    calls: parts.calls,
    rules: results,
    findings: parts.findings,
    tools,
    unchecked,
    ...(hasEnvelopes(facts) ? {} : { wrapping: toWrapping(results) }),
    duration_ms: Math.round(parts.durationMs),
  };
}

/** Returns true if the server sends envelopes, or if no answer was seen and the server may send envelopes. */
function hasEnvelopes({ answered, envelopes }: CheckFacts): boolean {
  return answered === 0 || envelopes > 0;
}

/** Returns the effect that `wrapTool` would have on a server without envelopes. */
function toWrapping(results: readonly RuleResult[]): NonNullable<CheckReport["wrapping"]> {
  const own = results.filter(({ rule }) => isKeptByWrapping(rule));
  return {
    adds: own.filter(({ rule }) => needsEnvelopes(rule)).map(({ rule }) => rule),
    fixes: own.filter(({ rule, broken }) => broken > 0 && !needsEnvelopes(rule)).map(({ rule }) => rule),
  };
}

/** Facts about a finished check that decide whether a rule applies. */
export interface CheckFacts {
  readonly profile: Profile;
  readonly dialect: Dialect;
  /** The reason why the check stopped early. */
  readonly stopReason: string | undefined;
  readonly tools: number;
  /** The number of answered calls. */
  readonly answered: number;
  /** The number of answers that were envelopes of any dialect. */
  readonly envelopes: number;
  readonly isCommand: boolean;
}

/** For each rule, the reason why the rule does not apply if it was never exercised. */
const reasons: Partial<Record<CheckerRuleId, string>> = {
  "RV2-12": "no answer left anything out",
  "RV2-15": "no call was throttled",
  "EV1-04": "no failure was seen",
  "EV1-06": "no answer was of tier pro or enterprise",
  "MCP-07": "no tool declares an output schema",
  "MCP-08": "no tool declares an output schema",
  "MCP-16": "no tool says that it is read-only or idempotent",
  "MCP-20": "no calls with expectations were given",
  "MCP-21": "no tool that may be called has a required argument",
  "MCP-22": "no tool that may be called has an argument of a known type",
  "MCP-23": "no tool that may be called has a required argument that may not be null",
  "MCP-24": "no tool that may be called has an optional argument",
  "MCP-25": "every input schema admits further arguments",
  "MCP-26": "no tool has actions that are all read-only, and no calls name one that it does not have",
  "MCP-31": "no tool has actions that are all read-only, and no calls name one that it does not have",
  "MCP-48": "no tool takes a cursor",
  "MCP-53": "no answer is long enough to be asked for in less",
};

/**
 * Returns the status of a rule that was never exercised. Either the rule does not apply, or it could not be checked.
 */
export function unexercisedStatus(
  rule: CheckerRuleId,
  facts: CheckFacts,
): Pick<RuleResult, "status" | "reason"> {
  const { area } = rules[rule];
  if (!isInProfile(rule, facts.profile))
    return { status: "not_applicable", reason: `it is not in the profile ${facts.profile}` };
  const isShape = area === "response-v2" || area === "envelope-v1" || area === "response-v1";
  if (isShape && area !== facts.dialect)
    return { status: "not_applicable", reason: `the server is held to ${facts.dialect}` };
  if (area === "definitions" && facts.tools === 0)
    return { status: "not_checked", reason: "the server lists no tools" };
  if (rule === "MCP-19" && !facts.isCommand)
    return { status: "not_applicable", reason: "it is not spoken to over stdio" };
  if (rule === "MCP-20") return { status: "not_applicable", reason: "no calls with expectations were given" };
  if (facts.answered === 0 && area !== "definitions")
    return { status: "not_checked", reason: facts.stopReason ?? "no tool could be called" };
  if (facts.stopReason !== undefined && area !== "definitions")
    return { status: "not_checked", reason: facts.stopReason };
  // Another finding already reports that no answer is an envelope.
  if (facts.envelopes === 0 && needsEnvelopes(rule))
    return { status: "not_applicable", reason: "no answer was an envelope" };
  if (area === "paging")
    return { status: "not_applicable", reason: reasons[rule] ?? "no answer carried meta.pagination" };
  if (area === "fidelity")
    return { status: "not_applicable", reason: reasons[rule] ?? "no answer left anything out" };
  const reason = reasons[rule];
  return reason === undefined
    ? { status: "not_checked", reason: "no call showed it" }
    : { status: "not_applicable", reason };
}
