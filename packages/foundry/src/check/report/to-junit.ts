import { pluralize } from "@foundry-mcp/toolkit/cli";
import {
  type CheckFinding,
  type CheckReport,
  describeCall,
  isRequired,
  type RuleResult,
  type ToolCoverage,
} from "../findings/check-report.ts";
import { areas } from "../rules/rule.ts";
import { toXml, type XmlElement } from "./xml.ts";

/** Formats a report as JUnit XML. The document has a failure or an error if and only if the check does not pass. */
export function toJunit(report: CheckReport): string {
  const suites = [
    ...Object.keys(areas).flatMap((area) => {
      const rules = report.rules.filter((rule) => rule.area === area);
      return rules.length === 0
        ? []
        : [
            toSuite(
              area,
              rules.map((rule) => toRuleCase(rule, report)),
            ),
          ];
    }),
    ...toCoverageSuite(report),
  ];
  const cases = suites.flatMap(({ content }) => content);
  return toXml({
    name: "testsuites",
    attributes: {
      name: `contract check of ${report.server.name ?? report.server.target}`,
      ...countCases(cases),
      time: toSeconds(report.duration_ms),
    },
    content: suites,
  });
}

interface Suite extends XmlElement {
  readonly content: readonly XmlElement[];
}

function toSuite(name: string, content: readonly XmlElement[], durationMs = 0): Suite {
  const attributes = { name, ...countCases(content), time: toSeconds(durationMs) };
  return { name: "testsuite", attributes, content };
}

function toSeconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(3);
}

function countCases(cases: readonly XmlElement[]): Readonly<Record<string, number>> {
  const count = (outcome: string) =>
    cases.filter(({ content }) => Array.isArray(content) && content.some(({ name }) => name === outcome))
      .length;
  return {
    tests: cases.length,
    failures: count("failure"),
    errors: count("error"),
    skipped: count("skipped"),
  };
}

function toCase(suite: string, name: string, outcome: readonly XmlElement[]): XmlElement {
  return { name: "testcase", attributes: { classname: suite, name, time: toSeconds(0) }, content: outcome };
}

function toRuleCase(rule: RuleResult, report: CheckReport): XmlElement {
  return toCase(rule.area, `${rule.rule} ${rule.title}`, toRuleOutcome(rule, report));
}

function toRuleOutcome(rule: RuleResult, report: CheckReport): readonly XmlElement[] {
  const findings = report.findings.filter((finding) => finding.rule === rule.rule);
  switch (rule.status) {
    case "passed":
      return [];
    case "failed": {
      const message = findings[0]?.message ?? rule.title;
      return [
        {
          name: "failure",
          attributes: { message, type: rule.level },
          content: describeFindings(rule, findings),
        },
      ];
    }
    case "warned":
    case "noted":
      return [
        { name: "system-out", attributes: {}, content: `${rule.level}: ${describeFindings(rule, findings)}` },
      ];
    case "not_applicable":
      return [{ name: "skipped", attributes: { message: rule.reason ?? "It does not apply." } }];
    case "not_checked":
      return [toUnchecked(rule.reason, isRequired(rule, report))];
  }
}

/**
 * Creates the element for a rule that was not checked. A required rule is an error rather than a failure, because no
 * violation was seen.
 */
function toUnchecked(reason = "It could not be exercised.", isError: boolean): XmlElement {
  const message = `Not checked: ${reason}`;
  return isError
    ? { name: "error", attributes: { message, type: "not_checked" } }
    : { name: "skipped", attributes: { message } };
}

/**
 * Creates a suite with a case for every tool and every other required check. The suite has the duration of the calls.
 */
function toCoverageSuite({ tools, rules, unchecked, duration_ms }: CheckReport): readonly Suite[] {
  const known = new Set<string>([...tools.map(({ tool }) => tool), ...rules.map(({ rule }) => rule)]);
  const cases = [
    ...tools.map((tool) => toCase("coverage", tool.tool, toToolOutcome(tool))),
    ...unchecked
      .filter(({ what }) => !known.has(what))
      .map(({ what, reason }) => toCase("coverage", what, [toUnchecked(reason, true)])),
  ];
  return cases.length === 0 ? [] : [toSuite("coverage", cases, duration_ms)];
}

function toToolOutcome({ status, reason, calls, successes, failures }: ToolCoverage): readonly XmlElement[] {
  if (status === "not_checked") return [toUnchecked(reason, true)];
  const counts = [
    pluralize(calls, "call"),
    pluralize(successes, "success", "successes"),
    pluralize(failures, "failure"),
  ].join(", ");
  const content = reason === undefined ? counts : `${counts}: ${reason}`;
  return [{ name: "system-out", attributes: {}, content }];
}

function describeFindings({ broken }: RuleResult, findings: readonly CheckFinding[]): string {
  const rest = broken - findings.length;
  return [
    ...findings.map(describeFinding),
    ...(rest > 0 ? [`… and ${rest} more`] : []),
    ...new Set(findings.map(({ remedy }) => `→ ${remedy}`)),
  ].join("\n");
}

function describeFinding(finding: CheckFinding): string {
  const { path, message, evidence } = finding;
  return [
    ...[describeCall(finding)].filter((call) => call !== undefined),
    `  ${path === undefined ? "" : `${path}: `}${message}`,
    ...(evidence === undefined ? [] : [`  seen: ${evidence}`]),
  ].join("\n");
}
