import type { Envelope } from "@foundry-mcp/contract";
import { type Canvas, toVisible } from "@foundry-mcp/toolkit/cli";
import type { ResearchReport } from "../runs/research-report.ts";

/** What people see of a report; undefined for what is none. */
export function showReport({ data }: Envelope, { colors }: Canvas): string | undefined {
  if ("markdown" in data) return `${toVisible(String(data["markdown"]), { keepLines: true })}\n`;
  if (!("findings" in data)) return undefined;
  const { question, summary, findings, sources } = data as unknown as ResearchReport;
  const { bold, dim, red } = colors;
  const names = new Map(sources.map(({ source_id, title, name }) => [source_id, title ?? name]));
  const found = findings.flatMap(({ claim, citations }, at) => [
    `${bold(`[${at + 1}]`)} ${toVisible(claim)}`,
    ...citations.map(({ source_id, locator }) =>
      dim(`    ${toVisible(names.get(source_id) ?? source_id)}, ${locator}`),
    ),
  ]);
  const failed = sources.flatMap(({ outcome, name, error = "" }) =>
    outcome === "failed" ? [red(`${toVisible(name)}: ${toVisible(error)}`)] : [],
  );
  return `${[bold(toVisible(question)), "", toVisible(summary), "", ...found, "", ...failed].join("\n")}\n`;
}
