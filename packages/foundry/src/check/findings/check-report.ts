import type { Dialect, RuleLevel } from "@foundry-mcp/contract";
import type { Profile } from "../rules/profiles.ts";
import type { Area } from "../rules/rule.ts";
import type { CheckerRuleId } from "../rules/rules.ts";

/**
 * The status of a rule after a check. `not_checked`: the rule applies but could not be exercised. `not_applicable`:
 * the server has nothing that the rule is about. Neither of these two statuses counts as a pass.
 */
export type RuleStatus = "passed" | "failed" | "warned" | "noted" | "not_checked" | "not_applicable";

/** The result of one rule. */
export interface RuleResult {
  readonly rule: CheckerRuleId;
  readonly area: Area;
  readonly level: RuleLevel;
  readonly title: string;
  readonly status: RuleStatus;
  /** The number of times that the rule was checked. */
  readonly checks: number;
  /** The number of times that the rule was broken. `findings` contains only the first few violations. */
  readonly broken: number;
  /** The reason why the rule was not checked or does not apply. */
  readonly reason?: string | undefined;
}

/** One violation of a rule. */
export interface CheckFinding {
  readonly rule: CheckerRuleId;
  readonly level: RuleLevel;
  /** The tool that violated the rule, if the violation concerns a tool. */
  readonly tool?: string | undefined;
  /** The arguments of the call that showed the violation. */
  readonly arguments?: unknown;
  /** The JSON path of the violation in the answer or in the tool definition. */
  readonly path?: string | undefined;
  readonly message: string;
  /** The relevant part of the server's answer, shortened. */
  readonly evidence?: string | undefined;
  readonly remedy: string;
}

/** The result of the check for one tool. */
export interface ToolCoverage {
  readonly tool: string;
  /**
   * `checked` requires at least one success and one failure. `no_data` means that all answers were failures, because
   * the server has no data that its read-only calls could return.
   */
  readonly status: "checked" | "no_data" | "not_checked";
  readonly calls: number;
  readonly successes: number;
  readonly failures: number;
  /** Actions that never succeeded, if the tool has actions. */
  readonly unseen_actions?: readonly string[] | undefined;
  /** The reason why the tool was not checked, or was checked only in part. */
  readonly reason?: string | undefined;
}

/** The report of a check, which is the payload of `contract check`. */
export interface CheckReport {
  /** `failed`: a MUST is broken. `incomplete`: no MUST is broken, but a required check could not be made. */
  readonly verdict: "passed" | "failed" | "incomplete";
  readonly server: {
    /** The command line or URL of the server. */
    readonly target: string;
    readonly name?: string | undefined;
    readonly version?: string | undefined;
    readonly protocol_version?: string | undefined;
  };
  /** The rules that the server was checked against. */
  readonly profile: Profile;
  /** The dialect that the server was checked against. */
  readonly dialect: Dialect;
  readonly counts: Readonly<Record<RuleStatus, number>>;
  readonly calls: number;
  readonly rules: readonly RuleResult[];
  readonly findings: readonly CheckFinding[];
  readonly tools: readonly ToolCoverage[];
  /** Required checks that could not be made: rule ids and tool names, each with its reason. */
  readonly unchecked: readonly { readonly what: string; readonly reason: string }[];
  /**
   * The effect of `wrapTool` on a server without envelopes: the rules about envelopes that `wrapTool` adds, and the
   * other broken rules that `wrapTool` fixes.
   */
  readonly wrapping?:
    | { readonly adds: readonly CheckerRuleId[]; readonly fixes: readonly CheckerRuleId[] }
    | undefined;
  readonly duration_ms: number;
}

/**
 * Returns the call of a finding as a line such as `echo {"text":"a"}`, or undefined if the finding is not about a call.
 */
export function describeCall({ tool, arguments: args }: CheckFinding): string | undefined {
  if (tool === undefined) return undefined;
  return args === undefined ? tool : `${tool} ${toJson(args)}`;
}

/** Formats arguments as JSON. Probes may send values that are nested too deeply for JSON.stringify. */
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
