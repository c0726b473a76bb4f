import { z } from "zod";
import { verificationResults } from "../../model/evidence/verification-record.ts";
import { taskChangeFields } from "../parameters.ts";

const { task_id: _, ...guarded } = taskChangeFields;
const { idempotency_key: __, ...guardedRun } = guarded;

const verify_id = z.string().min(1).describe("Id of the verify node");
const text = z.string().optional();

/** What `add` takes. */
export const added = {
  ...guarded,
  verify_id,
  result: z.enum(verificationResults),
  command: text.describe("What was run"),
  output: text.describe("What it wrote; kept apart from the spec"),
  issues: text,
  notes: text,
};

/** What `execute` takes. No key: a program that is run again is run, and may come to something else. */
export const executed = {
  ...guardedRun,
  verify_id,
  argv: z
    .array(z.string())
    .min(1)
    .max(256)
    .optional()
    .describe("Program and arguments, no shell (default: argv or command of the node)"),
  timeout_seconds: z.number().positive().max(3_600).optional().describe("Ends it then (default: 300)"),
  record: z.boolean().optional().describe("False: keep no record"),
};
