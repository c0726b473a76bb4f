import { widthOf } from "@foundry-mcp/toolkit/cli";
import { type CheckReport, isRequired, type ToolCoverage } from "../findings/check-report.ts";
import { type Page, toLine, wrapText } from "./layout.ts";

const marks = {
  checked: (colors: Page["colors"]) => colors.green("✓"),
  no_data: (colors: Page["colors"]) => colors.dim("–"),
  not_checked: (colors: Page["colors"]) => colors.yellow("?"),
} as const satisfies Record<ToolCoverage["status"], unknown>;

const heads = ["calls", "successes", "failures"] as const;
/** Most failures are answers to calls that must fail, so the report for people calls failures refusals. */
const titles = { calls: "calls", successes: "successes", failures: "refusals" } as const;
const numbers = heads.map((head) => titles[head].length + 2).reduce((sum, columns) => sum + columns, 0);

/** Shows the coverage of each tool. */
export function showTools({ tools }: CheckReport, page: Page): readonly string[] {
  if (tools.length === 0) return [];
  const { colors, width } = page;
  const names = tools.map(({ tool }) => toLine(tool, width - numbers - 4));
  const column = Math.max("Tools".length, ...names.map((name) => widthOf(name) + 4));
  const head = heads.map((each) => `  ${titles[each]}`).join("");
  return [
    colors.bold(`${"Tools".padEnd(column)}${head}`),
    ...tools.flatMap((tool, index) => {
      const name = names[index] ?? "";
      const space = " ".repeat(column - 4 - widthOf(name));
      const counts = heads.map((each) => `  ${String(tool[each]).padStart(titles[each].length)}`).join("");
      const mark = marks[tool.status](colors);
      return [`  ${mark} ${name}${space}${counts}`, ...showRemarks(tool, page)];
    }),
  ];
}

/** Shows remarks on a tool. `showUnchecked` shows the reason why the tool was not checked. */
function showRemarks({ status, reason, unseen_actions: unseen = [] }: ToolCoverage, { width, colors }: Page) {
  const told = [
    ...(status === "no_data"
      ? ["Judged by its refusals: the server has no data on which it could succeed."]
      : []),
    ...(status !== "not_checked" && reason !== undefined ? [reason] : []),
    ...(unseen.length === 0 ? [] : [`No success was seen of ${unseen.join(", ")}.`]),
  ];
  return told
    .flatMap((text) => wrapText(toLine(text, 3 * (width - 6)), width, { first: "      ", rest: "      " }))
    .map((line) => colors.dim(line));
}

interface Unchecked {
  readonly reason: string;
  readonly label: string;
  readonly title: string;
  readonly isRequired: boolean;
}

const unknown = "It could not be exercised.";
const remedy =
  "Name calls that reach them in a file, which --write-calls FILE begins, and pass it: --calls FILE.";

/**
 * Shows the rules and tools that were not checked, grouped by reason, and the remedy. Required checks come first.
 */
export function showUnchecked(report: CheckReport, { width, colors }: Page): readonly string[] {
  const all = listUnchecked(report).toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired));
  if (all.length === 0) return [];
  const reasons = new Set(all.map(({ reason }) => reason));
  return [
    colors.bold("Not checked"),
    ...[...reasons].flatMap((reason) => [
      ...wrapText(toLine(reason, 3 * (width - 2)), width, { first: "  ", rest: "  " }),
      ...showMembers(
        all.filter((each) => each.reason === reason),
        width,
      ).map((line) => colors.dim(line)),
    ]),
    ...wrapText(remedy, width, { first: "  → ", rest: "    " }),
  ];
}

function showMembers(members: readonly Unchecked[], width: number): readonly string[] {
  const column = Math.max(...members.map(({ label }) => widthOf(label)));
  return members.flatMap(({ label, title }) => {
    const first = `    ${label}${" ".repeat(column - widthOf(label))}  `;
    // An entry without a title is shown on a separate line.
    return title === "" ? [first.trimEnd()] : wrapText(title, width, { first, rest: " ".repeat(column + 6) });
  });
}

function listUnchecked(report: CheckReport): readonly Unchecked[] {
  const { rules, tools, unchecked } = report;
  const known = new Set<string>([...rules.map(({ rule }) => rule), ...tools.map(({ tool }) => tool)]);
  return [
    ...rules
      .filter(({ status }) => status === "not_checked")
      .map((rule) => ({
        reason: rule.reason ?? unknown,
        label: `${rule.rule} ${rule.level}`,
        title: rule.title,
        isRequired: isRequired(rule, report),
      })),
    ...tools
      .filter(({ status }) => status === "not_checked")
      .map(({ tool, reason = unknown }) => ({
        reason,
        label: "tool",
        title: toLine(tool, 128),
        isRequired: true,
      })),
    ...unchecked
      .filter(({ what }) => !known.has(what))
      .map(({ what, reason }) => ({ reason, label: toLine(what, 30), title: "", isRequired: true })),
  ];
}
