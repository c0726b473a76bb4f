import type { Dialect, RuleLevel } from "@foundry-mcp/contract";
import { type Canvas, pluralize, toVisible } from "@foundry-mcp/toolkit/cli";
import { z } from "zod";
import type { CheckerRuleId } from "../rules/rules.ts";

/** A violation in one envelope of a file. */
export interface FileFinding {
  /** The position of the envelope in the file, starting at 1. */
  readonly envelope: number;
  /** The line on which the envelope begins. */
  readonly line: number;
  readonly rule: CheckerRuleId;
  readonly level: RuleLevel;
  readonly path?: string | undefined;
  readonly message: string;
  readonly evidence: string;
  readonly remedy: string;
}

/** The report of `contract validate`. */
export interface FileReport {
  readonly envelopes: number;
  /** The number of envelopes that break no MUST. */
  readonly valid: number;
  readonly dialects: Readonly<Partial<Record<Dialect, number>>>;
  readonly findings: readonly FileFinding[];
  /** The number of findings, including those left out. */
  readonly finding_count: number;
}

/** The output schema of `contract validate`. */
export const fileReportSchema = z.object({
  envelopes: z.int(),
  valid: z.int().describe("How many keep every MUST"),
  dialects: z.record(z.string(), z.int()),
  findings: z.array(
    z.object({
      envelope: z.int().describe("Which of the file, from 1"),
      line: z.int(),
      // The TypeScript type allows only rule ids. The JSON schema allows any text, because a list of all ids would
      // make the schema long for clients.
      rule: z.string() as unknown as z.ZodType<CheckerRuleId>,
      level: z.enum(["MUST", "SHOULD", "MAY"]),
      path: z.string().optional(),
      message: z.string(),
      evidence: z.string(),
      remedy: z.string(),
    }),
  ),
  finding_count: z.int(),
});

/** Formats the report of `contract validate` for people. */
export function toHumanValidation(report: FileReport, { colors }: Canvas): string {
  const { envelopes, valid, dialects, findings, finding_count: count } = report;
  const kinds = Object.entries(dialects).map(([dialect, many]) => `${many} ${dialect}`);
  const isValid = valid === envelopes;
  const verdict = isValid ? colors.green("valid") : colors.red(`${envelopes - valid} broken`);
  const lines = [`${colors.bold(pluralize(envelopes, "envelope"))} (${kinds.join(", ")}): ${verdict}`];
  for (const { line, rule, level, path, message, remedy } of findings) {
    const mark =
      level === "MUST" ? colors.red("✗") : level === "SHOULD" ? colors.yellow("!") : colors.dim("·");
    const place = path === undefined ? "" : ` ${toVisible(path)}`;
    lines.push(`${mark} line ${line}${place}: ${toVisible(message)} ${colors.dim(`(${rule} ${level})`)}`);
    lines.push(`  → ${remedy}`);
  }
  if (count > findings.length) lines.push(`… and ${pluralize(count - findings.length, "more finding")}`);
  return `${lines.join("\n")}\n`;
}
