import type { JsonValue } from "@foundry-mcp/contract";
import { describeConfirmation, payload, rows } from "@foundry-mcp/toolkit";
import { z } from "zod";
import { workTypes } from "../model/changes/new-node.ts";
import { priorities } from "../model/known-values.ts";

// The parameters that several actions share, so that each name has the same meaning everywhere.

/** An id. White space at the ends of an id is refused, because it would become part of the id. */
export const id = z
  .string()
  .regex(/^\S(?:[\s\S]*\S)?$/, "must not be empty, and must not begin or end with white space");
export const specId = id.describe("Id of the spec");
/** The id of a task, subtask or verification. */
export const taskId = id.describe("Id of the task");
export const phaseId = id;
export const dryRun = z.boolean().optional().describe("Dry run. Report the changes without writing them");
export const idempotencyKey = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe("Idempotency key. A repeated call with this key within 24 hours returns the first answer");
/** The revision that the caller of a read has already received. */
export const since = z.string().optional().describe("Revision you have; an unchanged spec is not sent");

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

export const text = z.string().optional();
/** The title of a spec or a phase. */
export const title = z.string().min(1);
const hours = z.number().min(0).optional();
// Arguments arrive as JSON, so every value of the record is a JSON value.
const jsonValue = z.unknown() as z.ZodType<JsonValue>;
export const metadata = z
  .record(z.string(), jsonValue)
  .optional()
  .describe("Further fields; null removes one");

/** The fields that plan the work on a spec or a task. */
const planning = {
  priority: z.enum(priorities).optional().describe("Priority. Default: treated as medium"),
  labels: z.array(z.string().min(1)).optional().describe("Labels"),
  owner: text.describe("Owner"),
};
/** The parameters that filter lists and the next task by the fields that plan the work. */
export const workFilter = {
  priority: planning.priority.describe("Priority. Select only specs and tasks of this priority"),
  labels: planning.labels.describe("Labels that must all be set"),
  owner: planning.owner.describe("Owner. Select only specs and tasks of this owner"),
};

/** The fields of a spec, except its title. */
export const specTexts = {
  description: text,
  mission: text.describe("Goal of the spec"),
  category: text,
  ...planning,
};
/** The fields of a phase. */
export const phaseFields = {
  title,
  description: text,
  purpose: text.describe("Goal of the phase"),
  estimated_hours: hours,
};
/** The position of a phase. */
export const phasePosition = z
  .int()
  .min(0)
  .optional()
  .describe("Index among the phases, from 0 (default: last)");

/** The fields of a new or changed task. All other fields are stored in `metadata`. */
export const taskFields = {
  description: text.describe("Work to do"),
  file_path: text,
  acceptance_criteria: z.array(z.string()).optional(),
  task_category: text,
  estimated_hours: hours,
  ...planning,
  metadata,
};
/** A task of a new phase. */
export const newTask = z.object({
  title: z.string().min(1),
  type: z.enum(workTypes).optional(),
  depends_on: z.array(z.string()).optional().describe("Ids or titles of tasks, which may be in this call"),
  ...taskFields,
});
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

/** The members of every payload about one spec. */
export const specRevision = { spec_id: z.string(), revision: z.string() };

/** The reason why a task cannot continue. The reason has the same form in every payload. */
export const blocker = () =>
  z.strictObject({
    task_id: z.string().optional(),
    type: z.string().optional(),
    reason: z.string(),
    ticket: z.string().optional(),
  });

/** The nodes that a change created. */
export const createdNodes = () =>
  rows({ id: z.string(), title: z.string(), type: z.string(), parent: z.string().nullable() });

/** The payload of a read that takes `since`. */
export const payloadOrUnchanged = (shape: Readonly<Record<string, z.ZodType>>) =>
  z.union([payload(shape), payload({ ...specRevision, unchanged: z.literal(true) })]);

/** Returns the payload of a read whose caller already has the current revision. */
export const toUnchanged = (spec_id: string, revision: string) => ({ spec_id, revision, unchanged: true });
