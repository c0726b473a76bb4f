import { type Canvas, toCount, toVisible } from "@foundry-mcp/toolkit/cli";
import type { FileReport } from "./file-report.ts";

/** What the envelopes of a file are like, for people. */
export function toHumanValidation(report: FileReport, { colors }: Canvas): string {
  const { envelopes, valid, dialects, findings, finding_count: count } = report;
  const kinds = Object.entries(dialects).map(([dialect, many]) => `${many} ${dialect}`);
  const isValid = valid === envelopes;
  const verdict = isValid ? colors.green("valid") : colors.red(`${envelopes - valid} broken`);
  const lines = [`${colors.bold(toCount(envelopes, "envelope"))} (${kinds.join(", ")}): ${verdict}`];
  for (const { line, rule, level, path, message, remedy } of findings) {
    const mark =
      level === "MUST" ? colors.red("✗") : level === "SHOULD" ? colors.yellow("!") : colors.dim("·");
    const place = path === undefined ? "" : ` ${toVisible(path)}`;
    lines.push(`${mark} line ${line}${place}: ${toVisible(message)} ${colors.dim(`(${rule} ${level})`)}`);
    lines.push(`  → ${remedy}`);
  }
  if (count > findings.length) lines.push(`… and ${toCount(count - findings.length, "more finding")}`);
  return `${lines.join("\n")}\n`;
}
