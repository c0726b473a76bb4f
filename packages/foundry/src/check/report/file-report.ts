import type { Dialect, RuleLevel } from "@foundry-mcp/contract";
import { z } from "zod";
import type { CheckerRuleId } from "../rules/rules.ts";

/** One way in which an envelope of a file falls short. */
export interface FileFinding {
  /** Which envelope of the file, beginning with 1. */
  readonly envelope: number;
  /** The line it begins in. */
  readonly line: number;
  readonly rule: CheckerRuleId;
  readonly level: RuleLevel;
  readonly path?: string | undefined;
  readonly message: string;
  readonly evidence: string;
  readonly remedy: string;
}

/** What the envelopes of a file are like. */
export interface FileReport {
  readonly envelopes: number;
  /** How many keep every MUST. */
  readonly valid: number;
  readonly dialects: Readonly<Partial<Record<Dialect, number>>>;
  readonly findings: readonly FileFinding[];
  /** How many findings there are, told or not. */
  readonly finding_count: number;
}

/** What `contract validate` answers. */
export const fileReportSchema = z.object({
  envelopes: z.int(),
  valid: z.int().describe("How many keep every MUST"),
  dialects: z.record(z.string(), z.int()),
  findings: z.array(
    z.object({
      envelope: z.int().describe("Which of the file, from 1"),
      line: z.int(),
      rule: z.string(),
      level: z.enum(["MUST", "SHOULD", "MAY"]),
      path: z.string().optional(),
      message: z.string(),
      evidence: z.string(),
      remedy: z.string(),
    }),
  ),
  finding_count: z.int(),
});
