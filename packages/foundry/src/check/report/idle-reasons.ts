import type { Dialect } from "@foundry-mcp/contract";
import type { RuleResult } from "../findings/check-report.ts";
import { type CheckerRuleId, rules } from "../rules/rules.ts";

/** What is known of a check when it is over. */
export interface CheckFacts {
  readonly dialect: Dialect;
  /** Why the check ended before it was done. */
  readonly exhausted: string | undefined;
  readonly tools: number;
  /** Answers that tools gave. */
  readonly answers: number;
  /** How many of those were envelopes of some dialect. */
  readonly envelopes: number;
  readonly isCommand: boolean;
}

/** Why a rule that nothing touched does not apply, where that is so. */
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

/** What becomes of a rule that nothing touched: it does not apply, or could not be exercised. */
export function idleStatus(rule: CheckerRuleId, facts: CheckFacts): Pick<RuleResult, "status" | "reason"> {
  const { area } = rules[rule];
  const isShape = area === "response-v2" || area === "envelope-v1" || area === "response-v1";
  if (isShape && area !== facts.dialect)
    return { status: "not_applicable", reason: `the server is held to ${facts.dialect}` };
  if (area === "definitions" && facts.tools === 0)
    return { status: "not_checked", reason: "the server lists no tools" };
  if (rule === "MCP-19" && !facts.isCommand)
    return { status: "not_applicable", reason: "it is not spoken to over stdio" };
  if (rule === "MCP-20") return { status: "not_applicable", reason: "no calls with expectations were given" };
  if (facts.answers === 0 && area !== "definitions")
    return { status: "not_checked", reason: facts.exhausted ?? "no tool could be called" };
  if (facts.exhausted !== undefined && area !== "definitions")
    return { status: "not_checked", reason: facts.exhausted };
  if (facts.envelopes === 0 && (isShape || needsEnvelope.has(rule)))
    return { status: "not_checked", reason: "no answer was an envelope" };
  if (area === "paging")
    return { status: "not_applicable", reason: reasons[rule] ?? "no answer carried meta.pagination" };
  if (area === "fidelity")
    return { status: "not_applicable", reason: reasons[rule] ?? "no answer left anything out" };
  const reason = reasons[rule];
  return reason === undefined
    ? { status: "not_checked", reason: "no call showed it" }
    : { status: "not_applicable", reason };
}

/** Rules that speak of what stands in an envelope. */
const needsEnvelope = new Set<CheckerRuleId>(["MCP-11", "MCP-12", "MCP-13", "MCP-29", "MCP-31"]);
