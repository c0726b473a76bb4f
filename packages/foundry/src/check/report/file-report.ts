import { z } from "zod";

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
