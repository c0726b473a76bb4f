import type { Dialect, RuleLevel } from "@foundry-mcp/contract";
import type { Area } from "../rules/rule.ts";
import type { CheckerRuleId } from "../rules/rules.ts";

/**
 * What became of a rule. `not_checked`: it applies and could not be exercised; `not_applicable`: the server
 * has nothing that it speaks of. Neither is a pass.
 */
export type RuleStatus = "passed" | "failed" | "warned" | "noted" | "not_checked" | "not_applicable";

/** What became of one rule. */
export interface RuleResult {
  readonly rule: CheckerRuleId;
  readonly area: Area;
  readonly level: RuleLevel;
  readonly title: string;
  readonly status: RuleStatus;
  /** How often the server was held to it. */
  readonly checks: number;
  /** How often it fell short; `findings` tells the first few. */
  readonly broken: number;
  /** Why it was not checked, or does not apply. */
  readonly reason?: string | undefined;
}

/** One way in which a server falls short. */
export interface CheckFinding {
  readonly rule: CheckerRuleId;
  readonly level: RuleLevel;
  /** The tool, where it is about one. */
  readonly tool?: string | undefined;
  /** The arguments of the call that showed it. */
  readonly arguments?: unknown;
  /** JSON path of the place in the answer or in the definition. */
  readonly path?: string | undefined;
  readonly message: string;
  /** What was seen, shortened. */
  readonly evidence?: string | undefined;
  readonly remedy: string;
}

/** How far one tool was exercised. */
export interface ToolCoverage {
  readonly tool: string;
  /** `checked` takes one success and one failure at least. */
  readonly status: "checked" | "not_checked";
  readonly calls: number;
  readonly successes: number;
  readonly failures: number;
  /** Actions of which no success was seen, where the tool has actions. */
  readonly unseen_actions?: readonly string[] | undefined;
  /** Why it was not checked, or not wholly. */
  readonly reason?: string | undefined;
}

/** What a check found out; the payload of its answer. */
export interface CheckReport {
  /** `failed`: a MUST is broken. `incomplete`: none is, but something required was not checked. */
  readonly verdict: "passed" | "failed" | "incomplete";
  readonly server: {
    /** How the checker calls it: its command or address. */
    readonly target: string;
    readonly name?: string | undefined;
    readonly version?: string | undefined;
    readonly protocol_version?: string | undefined;
  };
  /** The dialect that it was held to. */
  readonly dialect: Dialect;
  readonly counts: Readonly<Record<RuleStatus, number>>;
  readonly calls: number;
  readonly rules: readonly RuleResult[];
  readonly findings: readonly CheckFinding[];
  readonly tools: readonly ToolCoverage[];
  /** What was required and not checked: ids of rules and names of tools, each with its reason. */
  readonly unchecked: readonly { readonly what: string; readonly reason: string }[];
  readonly duration_ms: number;
}

/** The call that showed something, as people would write it: `echo {"text":"a"}`; undefined where none did. */
export function describeCall({ tool, arguments: args }: CheckFinding): string | undefined {
  if (tool === undefined) return undefined;
  return args === undefined ? tool : `${tool} ${toJson(args)}`;
}

/** Arguments are made to be odd: nested deeper than JSON can be written, too. */
function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "…";
  }
}

/** True where the check does not pass while this is unchecked. */
export function isRequired({ rule, level }: RuleResult, { unchecked }: CheckReport): boolean {
  return level === "MUST" || unchecked.some(({ what }) => what === rule);
}
