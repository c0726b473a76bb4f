import { describeConfirmation } from "@foundry-mcp/toolkit";
import { z } from "zod";
import { id, specId, taskId, text } from "./parameters.ts";

// The parameters that several changes share.

export const dryRun = z.boolean().optional().describe("Dry run. Report the changes without writing them");
export const idempotencyKey = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe("Idempotency key. A repeated call with this key within 24 hours returns the first answer");
/** The options of every change. */
export const changeOptions = {
  if_revision: z
    .string()
    .optional()
    .describe("Expected revision. If the spec is at another revision, the call fails with VERSION_CONFLICT"),
  dry_run: dryRun,
  idempotency_key: idempotencyKey,
};
/** The parameters of every change of a spec. */
export const specChangeFields = { spec_id: specId, ...changeOptions };
/** The parameters that the claim guard checks. */
export const claimFields = {
  claim_token: z.string().optional().describe("Token of your claim"),
  force: z.boolean().optional().describe("Override claims of other agents (maintainers only)"),
};
/** The parameters of every change of a task. */
export const taskChangeFields = { spec_id: specId, task_id: taskId, ...changeOptions, ...claimFields };
/** The position of a phase. */
export const phasePosition = z
  .int()
  .min(0)
  .optional()
  .describe("Index among the phases, from 0 (default: last)");
/** The id of a task's parent. */
export const parent = id.describe("New parent");
/** The confirmation of a call that removes something. */
export const confirmation = (effect: string) => z.literal(true).describe(describeConfirmation(effect));
/** The id of a dependency. */
export const target = id.describe("Task or phase that must be completed first");
/** The position of a task. */
export const position = z
  .int()
  .min(0)
  .optional()
  .describe(
    "Index among siblings, from 0 (default: last). Without an index, a task is added before trailing verify tasks",
  );
/** The text for the journal when a status changes. */
export const note = text.describe("Note for the journal and dependent tasks");
/** The reason for a change of status. */
export const reason = z.string().min(1).describe("Reason");
