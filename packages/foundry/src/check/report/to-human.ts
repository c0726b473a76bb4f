import type { Canvas } from "@foundry-mcp/toolkit/cli";
import { toCount } from "@foundry-mcp/toolkit/cli";
import type { CheckReport } from "../findings/check-report.ts";
import { type Page, toLine, toPage } from "./page.ts";
import { showAreas } from "./show-areas.ts";
import { showBroken } from "./show-broken.ts";
import { showTools } from "./show-tools.ts";
import { showUnchecked } from "./show-unchecked.ts";
import { wrapText } from "./wrap.ts";

/** The report for people: the verdict, what is broken and what to do, what was not checked, the verdict again. */
export function toHumanReport(report: CheckReport, canvas: Canvas): string {
  const page = toPage(canvas);
  const sections = [
    showHeadline(report, page),
    showAreas(report, page),
    ...showBroken(report, page),
    showUnchecked(report, page),
    showTools(report, page),
    showVerdict(report, page),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

const headlines = {
  passed: { mark: "✓", says: "keeps the contract", color: "green" },
  incomplete: { mark: "?", says: "was not wholly checked", color: "yellow" },
  failed: { mark: "✗", says: "breaks the contract", color: "red" },
} as const;

function showHeadline({ verdict, server, dialect, calls, duration_ms }: CheckReport, page: Page) {
  const { colors, width } = page;
  const { mark, says, color } = headlines[verdict];
  const called = server.name === undefined ? "The server" : [server.name, server.version].join(" ").trimEnd();
  const name = toLine(called, width - says.length - 3);
  const over = server.protocol_version === undefined ? "" : ` over MCP ${server.protocol_version}`;
  const facts = `${dialect}${over}, ${toCount(calls, "call")} in ${(duration_ms / 1_000).toFixed(1)} s`;
  return [
    `${colors[color](mark)} ${colors.bold(`${name} ${says}`)}`,
    `  ${colors.dim(toLine(server.target, width - 2))}`,
    `  ${colors.dim(toLine(facts, width - 2))}`,
  ];
}

/** What the exit code says, in words. */
function showVerdict({ verdict, counts, unchecked }: CheckReport, { colors, width }: Page) {
  const warnings = counts.warned === 0 ? "" : ` with ${toCount(counts.warned, "warning")}`;
  const open = toCount(unchecked.length, "required check");
  const also = unchecked.length === 0 ? "" : `, and ${open} could not be made`;
  const text = {
    passed: `Passed${warnings}: no MUST is broken, nothing required was left unchecked. Exit code 0.`,
    incomplete: `Incomplete${warnings}: no MUST is broken, but ${open} could not be made. Exit code 1.`,
    failed: `Failed${warnings}: ${toCount(counts.failed, "MUST is", "MUSTs are")} broken${also}. Exit code 1.`,
  }[verdict];
  const [word = "", ...rest] = wrapText(text, width);
  const paint = colors[headlines[verdict].color];
  return [word.replace(/^\w+/, (verdictWord) => paint(verdictWord)), ...rest];
}
