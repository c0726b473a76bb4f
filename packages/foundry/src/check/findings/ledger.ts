import { isInProfile, levelIn, type Profile } from "../rules/profiles.ts";
import { type CheckerRuleId, ruleIds, rules } from "../rules/rules.ts";
import type { CheckFinding, RuleResult, RuleStatus } from "./check-report.ts";

/** What a broken rule was seen in. */
export type Evidence = Omit<CheckFinding, "rule" | "level" | "remedy"> & {
  /** @default that of the rule */
  readonly remedy?: string | undefined;
};

interface Entry {
  checks: number;
  broken: number;
  readonly findings: CheckFinding[];
  /** Reasons why it could not be exercised, by subject; the key is undefined if there is no single subject. */
  readonly skipped: Map<string | undefined, string>;
  /** Reasons why it does not apply. */
  readonly exemptions: Set<string>;
}

/** A rule that applies to a subject, such as a tool, and could not be exercised on it. */
export interface Skip {
  readonly rule: CheckerRuleId;
  readonly subject: string;
  readonly reason: string;
}

/** Only the first violations of a rule are reported. */
const maxFindings = 5;
/** Only the first reasons why a rule was not exercised are reported. */
const maxReasons = 3;

/**
 * Records for every rule how often it was checked and how often it was broken. Rules that are not in the profile are
 * not recorded.
 */
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
    // The same message about another tool is a new finding.
    const isKnown = entry.findings.some(
      ({ tool, message }) => tool === evidence.tool && message === evidence.message,
    );
    if (isKnown || entry.findings.length >= maxFindings) return;
    const { remedy = rules[rule].remedy, ...rest } = evidence;
    entry.findings.push({ rule, level: levelIn(rule, this.#profile), ...rest, remedy });
  }

  /** Records that the rule was broken if there is evidence, and that it was kept otherwise. */
  record(rule: CheckerRuleId, evidence: Evidence | undefined): void {
    if (evidence === undefined) this.pass(rule);
    else this.fail(rule, evidence);
  }

  /**
   * Records that the rule applies and could not be exercised. With a `subject` the skip is reported even if the
   * rule was exercised on something else.
   */
  skip(rule: CheckerRuleId, reason: string, subject?: string): void {
    if (!this.includes(rule)) return;
    const { skipped } = this.#of(rule);
    if (!skipped.has(subject)) skipped.set(subject, reason);
  }

  /** Records that the rule does not apply to something that the server has. */
  exempt(rule: CheckerRuleId, reason: string): void {
    this.#of(rule).exemptions.add(reason);
  }

  /** Returns true if the server is held to the rule. */
  includes(rule: CheckerRuleId): boolean {
    return isInProfile(rule, this.#profile);
  }

  /** Returns true once the rule was checked. */
  isExercised(rule: CheckerRuleId): boolean {
    return this.#of(rule).checks > 0;
  }

  /** Returns the result of every rule; `unexercised` gives the status of a rule that nothing touched. */
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

  /** Returns the subjects that a rule could not be exercised on although it was exercised on others. */
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

  /** Returns the findings, MUST before SHOULD before MAY. */
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
