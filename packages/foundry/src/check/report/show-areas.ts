import type { CheckReport, RuleResult, RuleStatus } from "../findings/check-report.ts";
import { areas } from "../rules/rule.ts";
import { isRequired } from "./is-required.ts";
import type { Page } from "./page.ts";
import { wrapText } from "./wrap.ts";

const words: Readonly<Record<RuleStatus, string>> = {
  passed: "kept",
  failed: "broken",
  warned: "warned",
  noted: "noted",
  not_checked: "not checked",
  not_applicable: "not applicable",
};

/** A line for every area: how many of its rules are kept, and what became of the others. */
export function showAreas(report: CheckReport, { width, colors }: Page): readonly string[] {
  const shown = Object.entries(areas).flatMap(([area, title]) => {
    const rules = report.rules.filter((rule) => rule.area === area);
    return rules.length === 0 ? [] : [{ title, rules }];
  });
  const column = Math.max(0, ...shown.map(({ title }) => title.length));
  // Beside the titles where there is room for them, else below.
  const isBeside = column + 24 < width;
  return shown.flatMap(({ title, rules }) => {
    const { mark, color } = judge(rules, report);
    const [first = "", ...rest] = isBeside
      ? wrapText(countWords(rules), width, {
          first: `    ${title.padEnd(column)}  `,
          rest: " ".repeat(column + 6),
        })
      : [`    ${title}`, ...wrapText(countWords(rules), width, { first: "      ", rest: "      " })];
    return [`  ${colors[color](mark)}${first.slice(3)}`, ...rest];
  });
}

function countWords(rules: readonly RuleResult[]): string {
  return (Object.keys(words) as readonly RuleStatus[])
    .map((status) => ({ status, count: rules.filter((rule) => rule.status === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${count} ${words[status]}`)
    .join(", ");
}

function judge(rules: readonly RuleResult[], report: CheckReport) {
  const has = (...statuses: readonly RuleStatus[]) => rules.some(({ status }) => statuses.includes(status));
  if (has("failed")) return { mark: "✗", color: "red" } as const;
  if (rules.some((rule) => rule.status === "not_checked" && isRequired(rule, report))) {
    return { mark: "?", color: "yellow" } as const;
  }
  if (has("warned")) return { mark: "!", color: "yellow" } as const;
  return has("passed", "noted")
    ? ({ mark: "✓", color: "green" } as const)
    : ({ mark: "–", color: "dim" } as const);
}
