import type { Verdict } from "./judge.ts";

const head = ["suite", "scenarios", "passed", "failed", "not scored"];

/** The verdicts as one table: checks of what counts, and what was run beside it. */
export function toTable(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(({ suite, scored, notScored }) => [
    suite.title,
    String(scored.scenarios),
    String(scored.passed),
    String(scored.failed),
    `${notScored.scenarios} (${notScored.passed} passed, ${notScored.failed} failed)`,
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const toLine = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [toLine(head), toLine(widths.map((width) => "-".repeat(width))), ...rows.map(toLine)].join("\n");
}
