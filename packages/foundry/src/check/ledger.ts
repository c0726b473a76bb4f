import type { CheckFinding, RuleResult, RuleStatus } from "./report.ts";
import { type RuleId, ruleIds, rules } from "./rules/rules.ts";

/** What was seen of a rule that is broken. */
export type Evidence = Omit<CheckFinding, "rule" | "level" | "remedy">;

interface Entry {
  checks: number;
  broken: number;
  readonly findings: CheckFinding[];
  /** Why it could not be exercised somewhere. */
  skipped?: string;
}

/** A rule that is broken a thousand times is told by the first few. */
const mostFindings = 5;

/** Keeps account of every rule: how often a server was held to it, and how often it fell short. */
export class Ledger {
  readonly #entries = new Map<RuleId, Entry>(
    ruleIds.map((id) => [id, { checks: 0, broken: 0, findings: [] }]),
  );

  /** The rule held. */
  keep(rule: RuleId): void {
    this.#of(rule).checks++;
  }

  /** The rule was broken. */
  break(rule: RuleId, evidence: Evidence): void {
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
  hold(rule: RuleId, evidence: Evidence | undefined): void {
    if (evidence === undefined) this.keep(rule);
    else this.break(rule, evidence);
  }

  /** The rule applies, and could not be exercised. */
  skip(rule: RuleId, reason: string): void {
    this.#of(rule).skipped ??= reason;
  }

  /** True once the server was held to the rule. */
  isHeld(rule: RuleId): boolean {
    return this.#of(rule).checks > 0;
  }

  /** What became of every rule; `idle` says why one that nothing touched does not apply. */
  results(idle: (rule: RuleId) => Pick<RuleResult, "status" | "reason">): RuleResult[] {
    return ruleIds.map((rule) => {
      const { checks, broken, skipped } = this.#of(rule);
      const { area, level, title } = rules[rule];
      const untouched =
        skipped === undefined ? idle(rule) : { status: "not_checked" as const, reason: skipped };
      const told = checks > 0 ? { status: broken > 0 ? brokenAs[level] : "passed" } : untouched;
      return { rule, area, level, title, checks, broken, ...told } as RuleResult;
    });
  }

  /** What was found, worst first. */
  findings(): CheckFinding[] {
    const found = ruleIds.flatMap((rule) => this.#of(rule).findings);
    return found.toSorted((a, b) => weights[a.level] - weights[b.level]);
  }

  #of(rule: RuleId): Entry {
    const entry = this.#entries.get(rule);
    if (entry === undefined) throw new Error(`There is no rule ${rule}`);
    return entry;
  }
}

const brokenAs = { MUST: "failed", SHOULD: "warned", MAY: "noted" } as const satisfies Record<
  string,
  RuleStatus
>;
const weights = { MUST: 0, SHOULD: 1, MAY: 2 } as const;
