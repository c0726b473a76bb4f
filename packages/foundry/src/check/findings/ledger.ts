import { isInProfile, levelIn, type Profile } from "../rules/profiles.ts";
import { type CheckerRuleId, ruleIds, rules } from "../rules/rules.ts";
import type { CheckFinding, RuleResult, RuleStatus } from "./check-report.ts";

/** The call and the message that show a broken rule. */
export type Evidence = Omit<CheckFinding, "rule" | "level" | "remedy"> & {
  /** @default the remedy of the rule */
  readonly remedy?: string | undefined;
};

interface Entry {
  checks: number;
  broken: number;
  readonly findings: CheckFinding[];
  /** Reasons why the rule could not be exercised, by subject. The key is undefined if there is no single subject. */
  readonly skipped: Map<string | undefined, string>;
  /** Reasons why the rule does not apply. */
  readonly exemptions: Set<string>;
}

/** A rule that applies to a subject, such as a tool, but could not be exercised on it. */
export interface Skip {
  readonly rule: CheckerRuleId;
  readonly subject: string;
  readonly reason: string;
}

/** Maximum number of reported violations of a rule. */
const maxFindings = 5;
/** Maximum number of reported reasons why a rule was not exercised. */
const maxReasons = 3;

/** Counts for every rule in the profile how often the rule was checked and how often it was broken. */
export class Ledger {
  readonly #profile: Profile;
  readonly #entries = new Map<CheckerRuleId, Entry>(
    ruleIds.map((id) => [
      id,
      { checks: 0, broken: 0, findings: [], skipped: new Map(), exemptions: new Set() },
    ]),
  );

  constructor(profile: Profile = "contract") {
    this.#profile = profile;
  }

  /** Records that the rule was kept. */
  pass(rule: CheckerRuleId): void {
    if (this.includes(rule)) this.#of(rule).checks++;
  }

  /** Records that the rule was broken. */
  fail(rule: CheckerRuleId, evidence: Evidence): void {
    if (!this.includes(rule)) return;
    const entry = this.#of(rule);
    entry.checks++;
    entry.broken++;
    // The same message about another tool counts as a new finding.
    const isKnown = entry.findings.some(
      ({ tool, message }) => tool === evidence.tool && message === evidence.message,
    );
    if (isKnown || entry.findings.length >= maxFindings) return;
    const { remedy = rules[rule].remedy, ...rest } = evidence;
    entry.findings.push({ rule, level: levelIn(rule, this.#profile), ...rest, remedy });
  }

  /** Records a violation if `evidence` is given. Otherwise, records that the rule was kept. */
  record(rule: CheckerRuleId, evidence: Evidence | undefined): void {
    if (evidence === undefined) this.pass(rule);
    else this.fail(rule, evidence);
  }

  /**
   * Records that the rule applies but could not be exercised. A skip with a `subject` is reported even if the rule was
   * exercised on another subject.
   */
  skip(rule: CheckerRuleId, reason: string, subject?: string): void {
    if (!this.includes(rule)) return;
    const { skipped } = this.#of(rule);
    if (!skipped.has(subject)) skipped.set(subject, reason);
  }

  /** Records, with the reason, that the rule does not apply to a part of the server. */
  exempt(rule: CheckerRuleId, reason: string): void {
    this.#of(rule).exemptions.add(reason);
  }

  /** Returns true if the profile contains the rule. */
  includes(rule: CheckerRuleId): boolean {
    return isInProfile(rule, this.#profile);
  }

  /** Returns true if the rule was checked at least once. */
  isExercised(rule: CheckerRuleId): boolean {
    return this.#of(rule).checks > 0;
  }

  /**
   * Returns the result of every rule. `unexercised` returns the status of a rule that was never checked, skipped or
   * exempted.
   */
  results(unexercised: (rule: CheckerRuleId) => Pick<RuleResult, "status" | "reason">): RuleResult[] {
    return ruleIds.map((rule) => {
      const { checks, broken, skipped, exemptions } = this.#of(rule);
      const { area, title } = rules[rule];
      const level = levelIn(rule, this.#profile);
      const status =
        checks > 0
          ? { status: broken > 0 ? failedStatus[level] : ("passed" as const) }
          : skipped.size > 0
            ? { status: "not_checked" as const, reason: joinReasons(skipped.values()) }
            : exemptions.size > 0
              ? { status: "not_applicable" as const, reason: joinReasons(exemptions) }
              : unexercised(rule);
      return { rule, area, level, title, checks, broken, ...status };
    });
  }

  /**
   * Returns the subjects on which a rule could not be exercised, although the rule was exercised on other subjects.
   */
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

  /** Returns the findings, sorted by level: MUST, SHOULD, MAY. */
  findings(): CheckFinding[] {
    const found = ruleIds.flatMap((rule) => this.#of(rule).findings);
    return found.toSorted((a, b) => levelOrder[a.level] - levelOrder[b.level]);
  }

  #of(rule: CheckerRuleId): Entry {
    const entry = this.#entries.get(rule);
    if (entry === undefined) throw new Error(`There is no rule ${rule}`);
    return entry;
  }
}

function joinReasons(reasons: Iterable<string>): string {
  const distinct = [...new Set(reasons)];
  const rest = distinct.length - maxReasons;
  return [...distinct.slice(0, maxReasons), ...(rest > 0 ? [`and ${rest} more`] : [])].join("; ");
}

const failedStatus = { MUST: "failed", SHOULD: "warned", MAY: "noted" } as const satisfies Record<
  string,
  RuleStatus
>;
const levelOrder = { MUST: 0, SHOULD: 1, MAY: 2 } as const;
