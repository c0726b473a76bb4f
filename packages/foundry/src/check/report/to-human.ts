import { type Canvas, pluralize } from "@foundry-mcp/toolkit/cli";
import { type CheckReport, isRequired, type RuleResult, type RuleStatus } from "../findings/check-report.ts";
import { areas } from "../rules/rule.ts";
import { type Page, toLine, toPage, wrapText } from "./layout.ts";
import { showBroken } from "./show-broken.ts";
import { showTools, showUnchecked } from "./show-coverage.ts";

/**
 * Formats a report for people. The parts are: verdict, areas, broken rules with remedies, unchecked rules, tools,
 * verdict.
 */
export function toHumanReport(report: CheckReport, canvas: Canvas): string {
  const page = toPage(canvas);
  const sections = [
    showHeadline(report, page),
    showAreas(report, page),
    ...showBroken(report, page),
    showUnchecked(report, page),
    showTools(report, page),
    showWrapping(report, page),
    showVerdict(report, page),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

const headlines = {
  passed: {
    mark: "✓",
    says: { contract: "keeps the contract", mcp: "keeps the profile mcp" },
    color: "green",
  },
  incomplete: {
    mark: "?",
    says: { contract: "was not wholly checked", mcp: "was not wholly checked" },
    color: "yellow",
  },
  failed: {
    mark: "✗",
    says: { contract: "breaks the contract", mcp: "breaks the profile mcp" },
    color: "red",
  },
} as const;

function showHeadline(report: CheckReport, page: Page) {
  const { verdict, server, profile, dialect, calls, duration_ms } = report;
  const { colors, width } = page;
  const { mark, says: phrases, color } = headlines[verdict];
  const says = phrases[profile];
  const called = server.name === undefined ? "The server" : [server.name, server.version].join(" ").trimEnd();
  const name = toLine(called, width - says.length - 3);
  const over = server.protocol_version === undefined ? "" : ` over MCP ${server.protocol_version}`;
  const heldTo = profile === "mcp" ? "profile mcp" : dialect;
  const facts = `${heldTo}${over}, ${pluralize(calls, "call")} in ${(duration_ms / 1_000).toFixed(1)} s`;
  return [
    `${colors[color](mark)} ${colors.bold(`${name} ${says}`)}`,
    `  ${colors.dim(toLine(server.target, width - 2))}`,
    `  ${colors.dim(toLine(facts, width - 2))}`,
  ];
}

/** Shows the effect that `wrapTool` would have on a server without envelopes. */
function showWrapping({ wrapping, rules }: CheckReport, { width, colors }: Page): readonly string[] {
  if (wrapping === undefined) return [];
  const { adds, fixes } = wrapping;
  const titles = new Map(rules.map(({ rule, title }) => [rule, title]));
  const text = `It keeps ${adds.length} further rules: every answer is an envelope, and every failure has a code, a type and a remedy.`;
  return [
    colors.bold("What wrapTool of @foundry-mcp/toolkit/mcp would add"),
    ...wrapText(text, width, { first: "  + ", rest: "    " }),
    ...fixes.flatMap((rule) =>
      wrapText(`It fixes ${rule}: ${titles.get(rule) ?? ""}`, width, { first: "  + ", rest: "    " }),
    ),
  ];
}

/** Shows the verdict and the exit code. */
function showVerdict({ verdict, counts, unchecked }: CheckReport, { colors, width }: Page) {
  const warnings = counts.warned === 0 ? "" : ` with ${pluralize(counts.warned, "warning")}`;
  const open = pluralize(unchecked.length, "required check");
  const also = unchecked.length === 0 ? "" : `, and ${open} could not be made`;
  const text = {
    passed: `Passed${warnings}: no MUST is broken, nothing required was left unchecked. Exit code 0.`,
    incomplete: `Incomplete${warnings}: no MUST is broken, but ${open} could not be made. Exit code 1.`,
    failed: `Failed${warnings}: ${pluralize(counts.failed, "MUST is", "MUSTs are")} broken${also}. Exit code 1.`,
  }[verdict];
  const [word = "", ...rest] = wrapText(text, width);
  const paint = colors[headlines[verdict].color];
  return [word.replace(/^\w+/, (verdictWord) => paint(verdictWord)), ...rest];
}

const words: Readonly<Record<RuleStatus, string>> = {
  passed: "kept",
  failed: "broken",
  warned: "warned",
  noted: "noted",
  not_checked: "not checked",
  not_applicable: "not applicable",
};

/** Shows a line for every area with the number of rules by status. */
function showAreas(report: CheckReport, { width, colors }: Page): readonly string[] {
  const shown = Object.entries(areas).flatMap(([area, title]) => {
    const rules = report.rules.filter((rule) => rule.area === area);
    // Areas outside the profile are left out.
    const isShown = report.profile === "contract" || rules.some(({ status }) => status !== "not_applicable");
    return rules.length === 0 || !isShown ? [] : [{ title, rules }];
  });
  const column = Math.max(0, ...shown.map(({ title }) => title.length));
  // The counts are next to the titles if there is space, and otherwise below the titles.
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
