import type { Dialect, RuleLevel } from "@foundry-mcp/contract";
import type { Profile } from "../rules/profiles.ts";
import type { Area } from "../rules/rule.ts";
import type { CheckerRuleId } from "../rules/rules.ts";

/**
 * The status of a rule after a check. `not_checked`: the rule applies and could not be exercised.
 * `not_applicable`: the server has nothing that the rule is about. Neither is a pass.
 */
export type RuleStatus = "passed" | "failed" | "warned" | "noted" | "not_checked" | "not_applicable";

/** The result of one rule. */
export interface RuleResult {
  readonly rule: CheckerRuleId;
  readonly area: Area;
  readonly level: RuleLevel;
  readonly title: string;
  readonly status: RuleStatus;
  /** How often the rule was checked. */
  readonly checks: number;
  /** How often it was broken; `findings` has the first few. */
  readonly broken: number;
  /** Why it was not checked, or does not apply. */
  readonly reason?: string | undefined;
}

/** One violation of a rule. */
export interface CheckFinding {
  readonly rule: CheckerRuleId;
  readonly level: RuleLevel;
  /** The tool concerned, if it is about one. */
  readonly tool?: string | undefined;
  /** The arguments of the call that showed it. */
  readonly arguments?: unknown;
  /** JSON path in the answer or in the tool definition. */
  readonly path?: string | undefined;
  readonly message: string;
  /** What the server sent, shortened. */
  readonly evidence?: string | undefined;
  readonly remedy: string;
}

/** How far one tool was exercised. */
export interface ToolCoverage {
  readonly tool: string;
  /**
   * `checked` needs at least one success and one failure. `no_data`: only failures were seen, because the server has
   * nothing that its read-only calls could return.
   */
  readonly status: "checked" | "no_data" | "not_checked";
  readonly calls: number;
  readonly successes: number;
  readonly failures: number;
  /** Actions without a success, if the tool has actions. */
  readonly unseen_actions?: readonly string[] | undefined;
  /** Why it was not checked, or only in part. */
  readonly reason?: string | undefined;
}

/** The report of a check; the payload of `contract check`. */
export interface CheckReport {
  /** `failed`: a MUST is broken. `incomplete`: no MUST is broken, but something required was not checked. */
  readonly verdict: "passed" | "failed" | "incomplete";
  readonly server: {
    /** Its command line or URL. */
    readonly target: string;
    readonly name?: string | undefined;
    readonly version?: string | undefined;
    readonly protocol_version?: string | undefined;
  };
  /** The rules that it was checked against. */
  readonly profile: Profile;
  /** The dialect that it was checked against. */
  readonly dialect: Dialect;
  readonly counts: Readonly<Record<RuleStatus, number>>;
  readonly calls: number;
  readonly rules: readonly RuleResult[];
  readonly findings: readonly CheckFinding[];
  readonly tools: readonly ToolCoverage[];
  /** Required checks that were not made: rule ids and tool names, each with its reason. */
  readonly unchecked: readonly { readonly what: string; readonly reason: string }[];
  /** For a server without envelopes: the rules that `wrapTool` adds, and the broken ones that it mends. */
  readonly wrapping?:
    | { readonly adds: readonly CheckerRuleId[]; readonly mends: readonly CheckerRuleId[] }
    | undefined;
  readonly duration_ms: number;
}

/** Returns the call of a finding as a line such as `echo {"text":"a"}`, or undefined if it is about no call. */
export function describeCall({ tool, arguments: args }: CheckFinding): string | undefined {
  if (tool === undefined) return undefined;
  return args === undefined ? tool : `${tool} ${toJson(args)}`;
}

/** Probes send odd arguments, among them values nested too deeply for JSON.stringify. */
function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "…";
  }
}

/** Returns true if the check cannot pass while this rule is unchecked. */
export function isRequired({ rule, level }: RuleResult, { unchecked }: CheckReport): boolean {
  return level === "MUST" || unchecked.some(({ what }) => what === rule);
}
