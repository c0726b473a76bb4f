import { type CheckerRuleId, ruleIds, rules } from "../rules/rules.ts";
import type { CheckFinding, RuleResult, RuleStatus } from "./check-report.ts";

/** What was seen of a rule that is broken. */
export type Evidence = Omit<CheckFinding, "rule" | "level" | "remedy">;

interface Entry {
  checks: number;
  broken: number;
  readonly findings: CheckFinding[];
  /** Why it could not be exercised somewhere: by what it could not be exercised on, where that is known. */
  readonly skipped: Map<string | undefined, string>;
  /** Why something is not for it to judge. */
  readonly spared: Set<string>;
}

/** A rule that applies to something and could not be exercised on it. */
export interface Skip {
  readonly rule: CheckerRuleId;
  readonly subject: string;
  readonly reason: string;
}

/** A rule that is broken a thousand times is told by the first few. */
const mostFindings = 5;
/** So are the reasons of a rule that nothing was held to. */
const mostReasons = 3;

/** Keeps account of every rule: how often a server was held to it, and how often it fell short. */
export class Ledger {
  readonly #entries = new Map<CheckerRuleId, Entry>(
    ruleIds.map((id) => [id, { checks: 0, broken: 0, findings: [], skipped: new Map(), spared: new Set() }]),
  );

  /** The rule held. */
  keep(rule: CheckerRuleId): void {
    this.#of(rule).checks++;
  }

  /** The rule was broken. */
  break(rule: CheckerRuleId, evidence: Evidence): void {
    const entry = this.#of(rule);
    entry.checks++;
    entry.broken++;
    // The same thing of another tool is news; the same of the same tool is not.
    const isKnown = entry.findings.some(
      ({ tool, message }) => tool === evidence.tool && message === evidence.message,
    );
    if (isKnown || entry.findings.length >= mostFindings) return;
    const { level, remedy } = rules[rule];
    entry.findings.push({ rule, level, ...evidence, remedy });
  }

  /** The rule held, or was broken with what `evidence` tells. */
  hold(rule: CheckerRuleId, evidence: Evidence | undefined): void {
    if (evidence === undefined) this.keep(rule);
    else this.break(rule, evidence);
  }

  /**
   * The rule applies, and could not be exercised. With a `subject` it counts even where the rule could be
   * exercised elsewhere.
   */
  skip(rule: CheckerRuleId, reason: string, subject?: string): void {
    const { skipped } = this.#of(rule);
    if (!skipped.has(subject)) skipped.set(subject, reason);
  }

  /** The rule does not apply to something, for a reason that the table of rules cannot know. */
  spare(rule: CheckerRuleId, reason: string): void {
    this.#of(rule).spared.add(reason);
  }

  /** True once the server was held to the rule. */
  isHeld(rule: CheckerRuleId): boolean {
    return this.#of(rule).checks > 0;
  }

  /** What became of every rule; `idle` says why one that nothing touched does not apply. */
  results(idle: (rule: CheckerRuleId) => Pick<RuleResult, "status" | "reason">): RuleResult[] {
    return ruleIds.map((rule) => {
      const { checks, broken } = this.#of(rule);
      const { area, level, title } = rules[rule];
      const told =
        checks > 0 ? { status: broken > 0 ? brokenAs[level] : "passed" } : this.#untouched(rule, idle);
      return { rule, area, level, title, checks, broken, ...told } as RuleResult;
    });
  }

  /** What rules could not be exercised on, although they could be elsewhere. */
  skips(): Skip[] {
    return ruleIds.flatMap((rule) => {
      const { checks, skipped } = this.#of(rule);
      return checks === 0
        ? []
        : [...skipped].flatMap(([subject, reason]) =>
            subject === undefined ? [] : [{ rule, subject, reason }],
          );
    });
  }

  /** What was found, worst first. */
  findings(): CheckFinding[] {
    const found = ruleIds.flatMap((rule) => this.#of(rule).findings);
    return found.toSorted((a, b) => weights[a.level] - weights[b.level]);
  }

  #untouched(
    rule: CheckerRuleId,
    idle: (rule: CheckerRuleId) => Pick<RuleResult, "status" | "reason">,
  ): Pick<RuleResult, "status" | "reason"> {
    const { skipped, spared } = this.#of(rule);
    if (skipped.size > 0) return { status: "not_checked", reason: joinReasons(skipped.values()) };
    return spared.size > 0 ? { status: "not_applicable", reason: joinReasons(spared) } : idle(rule);
  }

  #of(rule: CheckerRuleId): Entry {
    const entry = this.#entries.get(rule);
    if (entry === undefined) throw new Error(`There is no rule ${rule}`);
    return entry;
  }
}

function joinReasons(reasons: Iterable<string>): string {
  const distinct = [...new Set(reasons)];
  const rest = distinct.length - mostReasons;
  return [...distinct.slice(0, mostReasons), ...(rest > 0 ? [`and ${rest} more`] : [])].join("; ");
}

const brokenAs = { MUST: "failed", SHOULD: "warned", MAY: "noted" } as const satisfies Record<
  string,
  RuleStatus
>;
const weights = { MUST: 0, SHOULD: 1, MAY: 2 } as const;
