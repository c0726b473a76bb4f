import {
  type CheckFinding,
  type CheckReport,
  describeCall,
  type RuleResult,
} from "../findings/check-report.ts";
import { rules } from "../rules/rules.ts";
import { type Page, toLine, wrapText } from "./layout.ts";

/** Maximum number of findings shown for a rule. */
const maxShown = 3;
/** Maximum number of lines of a message or of evidence. */
const maxLines = 3;

const marks = {
  failed: { mark: "✗", color: "red" },
  warned: { mark: "!", color: "yellow" },
  noted: { mark: "·", color: "dim" },
} as const;
type Broken = keyof typeof marks;

/** Shows the broken rules with their findings and remedies, starting with the worst rule. */
export function showBroken(report: CheckReport, page: Page): readonly (readonly string[])[] {
  return (Object.keys(marks) as readonly Broken[]).flatMap((status) =>
    report.rules
      .filter((rule) => rule.status === status)
      .map((rule) => {
        const findings = report.findings.filter((finding) => finding.rule === rule.rule);
        return showRule(rule, status, findings, page);
      }),
  );
}

function showRule(
  { rule, level, title, broken }: RuleResult,
  status: Broken,
  findings: readonly CheckFinding[],
  page: Page,
): readonly string[] {
  const { colors, width } = page;
  const { mark, color } = marks[status];
  const label = `${rule} ${level}`;
  const start = `${mark} ${label}  `;
  const [first = "", ...rest] = wrapText(title, width, { first: start, rest: " ".repeat(start.length) });
  const shown = findings.slice(0, maxShown);
  const others = Math.max(broken, findings.length) - shown.length;
  const remedies = new Set(shown.length === 0 ? [rules[rule].remedy] : shown.map(({ remedy }) => remedy));
  return [
    `${colors[color](mark)} ${colors.bold(label)}${first.slice(start.length - 2)}`,
    ...rest,
    ...showFindings(shown, page),
    ...(others > 0 ? [colors.dim(`    … and ${others} more`)] : []),
    ...[...remedies].flatMap((remedy) => showBlock(remedy, { first: "    → ", rest: "      " }, page)),
  ];
}

/** Shows each finding below the calls that caused it. A finding of several calls is shown only once. */
function showFindings(findings: readonly CheckFinding[], page: Page): readonly string[] {
  const groups = new Map<string, CheckFinding[]>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.path, finding.message, finding.evidence, finding.tool === undefined]);
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()].flatMap((group) => showGroup(group, page));
}

function showGroup(group: readonly CheckFinding[], page: Page): readonly string[] {
  const { path, message, evidence } = group[0] ?? { message: "" };
  const calls = group.map(describeCall).filter((call) => call !== undefined);
  const margin = calls.length === 0 ? "    " : "      ";
  const told = `${path === undefined ? "" : `${path}: `}${message}`;
  const seen =
    evidence === undefined
      ? []
      : showBlock(`seen: ${evidence}`, { first: margin, rest: `${margin}  ` }, page);
  return [
    ...calls.map((call) => `    ${toLine(call, page.width - 4)}`),
    ...showBlock(told, { first: margin, rest: margin }, page),
    ...seen.map((line) => page.colors.dim(line)),
  ];
}

/** Shows an untrusted text in a few lines. */
function showBlock(text: string, margin: { readonly first: string; readonly rest: string }, page: Page) {
  const line = toLine(text, maxLines * (page.width - margin.rest.length));
  return wrapText(line, page.width, margin);
}
