import { payload } from "@foundry-mcp/toolkit";
import { z } from "zod";

/** The parameters that many actions share: one name has one meaning everywhere. */
export const specId = z.string().min(1).describe("Id of the spec");
/** A task, subtask or verification. */
export const taskId = z.string().min(1).describe("Id of the task");
/** Refuses a change of anything else than was read. */
export const ifRevision = z.string().optional().describe("If revision; change only this one");
/** Plans, checks and answers, and writes nothing. */
export const dryRun = z.boolean().optional().describe("Dry run; only say what would be done");
/** Of a call that may be made again: within a day it is made once. */
export const idempotencyKey = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe("Idempotency key; a call that is repeated with it within a day is made once");
/** Of a read that need not tell what its caller has. */
export const since = z
  .string()
  .optional()
  .describe("Only what is newer; the spec is not told where it is still at this revision");
/** Of everything that changes a spec. */
export const changeOptions = { if_revision: ifRevision, dry_run: dryRun, idempotency_key: idempotencyKey };
/** Of what changes one spec. */
export const specChangeFields = { spec_id: specId, ...changeOptions };
/** Of what somebody may hold. */
export const claimFields = {
  claim_token: z.string().optional().describe("Of the lease; where the task is held"),
  force: z.boolean().optional().describe("Although held; by somebody else"),
};
/** Of what changes one task. */
export const taskChangeFields = { spec_id: specId, task_id: taskId, ...changeOptions, ...claimFields };

/** A payload that says which spec it is about, and its revision. */
export const specRevision = { spec_id: z.string(), revision: z.string() };

/** The payload of a read whose caller has the spec already: nothing has changed. */
export const payloadOrUnchanged = (shape: Readonly<Record<string, z.ZodType>>) =>
  z.union([payload(shape), payload({ ...specRevision, unchanged: z.literal(true) })]);

/** The answer of a read whose caller has it already. */
export const toUnchanged = (spec_id: string, revision: string) => ({ spec_id, revision, unchanged: true });
