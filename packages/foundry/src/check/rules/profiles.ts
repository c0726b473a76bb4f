import type { RuleLevel } from "@foundry-mcp/contract";
import type { Area } from "./rule.ts";
import { type CheckerRuleId, ruleIds, rules } from "./rules.ts";

/** The profiles: every rule of the contract, or only the rules that do not need envelopes. */
export const profiles = ["contract", "mcp"] as const;

/** A selection of rules. */
export type Profile = (typeof profiles)[number];

/** Areas whose rules are about envelopes and the contents of their meta. */
const envelopeAreas = new Set<Area>(["response-v2", "envelope-v1", "response-v1", "paging", "fidelity"]);

/** Rules of other areas that only a server with envelopes can satisfy. */
const envelopeRules = new Set<CheckerRuleId>([
  "MCP-06",
  "MCP-11",
  "MCP-12",
  "MCP-13",
  "MCP-29",
  "MCP-30",
  "MCP-31",
]);

/** Rules of the contract that a server without envelopes may satisfy but that MCP does not require. */
const contractRules = new Set<CheckerRuleId>(["MCP-24"]);

/** Returns true if only a server that sends envelopes can satisfy the rule. */
export function needsEnvelopes(rule: CheckerRuleId): boolean {
  return envelopeAreas.has(rules[rule].area) || envelopeRules.has(rule);
}

/** Returns true if the profile contains the rule. */
export function isInProfile(rule: CheckerRuleId, profile: Profile): boolean {
  return profile === "contract" || !(needsEnvelopes(rule) || contractRules.has(rule));
}

/**
 * Returns the level of a rule in a profile. The level differs for some rules, because MCP up to 2025-06-18 allows a
 * server to answer invalid arguments with a JSON-RPC error.
 */
export function levelIn(rule: CheckerRuleId, profile: Profile): RuleLevel {
  return profile === "mcp" && rule === "MCP-28" ? "SHOULD" : rules[rule].level;
}

/** Rules that every tool registered with `wrapTool` satisfies, regardless of its handler. */
const wrappedRules = new Set<CheckerRuleId>([
  ...ruleIds.filter((rule) => rules[rule].area === "response-v2" && rule !== "RV2-15"),
  "MCP-06",
  "MCP-07",
  "MCP-11",
  "MCP-12",
  "MCP-13",
  "MCP-14",
  "MCP-21",
  "MCP-22",
  "MCP-23",
  "MCP-24",
  "MCP-25",
  "MCP-28",
  "MCP-29",
]);

/** Returns true if `wrapTool` makes a tool satisfy the rule. */
export function isKeptByWrapping(rule: CheckerRuleId): boolean {
  return wrappedRules.has(rule);
}
