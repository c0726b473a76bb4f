import type { JsonValue } from "@foundry-mcp/contract";
import { payload, rows } from "@foundry-mcp/toolkit";
import { z } from "zod";
import { workTypes } from "../model/changes/new-node.ts";
import { priorities } from "../model/known-values.ts";

// Parameters that several actions share, so that one name has one meaning everywhere.

/** An id: a text without white space at its ends, so that such white space is not taken as part of it. */
export const id = z.string().regex(/^\S(?:[\s\S]*\S)?$/);
export const specId = id.describe("Id of the spec");
/** The id of a task, subtask or verification. */
export const taskId = id.describe("Id of the task");
export const phaseId = id;
export const dryRun = z.boolean().optional().describe("Dry run. Report what would change, and write nothing");
export const idempotencyKey = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe("Idempotency key. The same key within 24 hours returns the first answer");
/** The revision that the caller of a read already has. */
export const since = z.string().optional().describe("Revision you have: an unchanged spec is not sent again");

/** The options of every change. */
export const changeOptions = {
  if_revision: z
    .string()
    .optional()
    .describe("Fail with VERSION_CONFLICT unless the spec is at this revision"),
  dry_run: dryRun,
  idempotency_key: idempotencyKey,
};
/** The parameters of every change of a spec. */
export const specChangeFields = { spec_id: specId, ...changeOptions };
/** The parameters that let a change pass the claim guard. */
export const claimFields = {
  claim_token: z.string().optional().describe("Token from next or claim, if the task is claimed"),
  force: z.boolean().optional().describe("Override the claim of another agent (maintainers only)"),
};
/** The parameters of every change of a task. */
export const taskChangeFields = { spec_id: specId, task_id: taskId, ...changeOptions, ...claimFields };

export const text = z.string().optional();
/** The title of a spec or a phase. */
export const title = z.string().min(1);
const hours = z.number().min(0).optional();
// Arguments arrive as JSON, so that every value of the record is a JSON value.
const jsonValue = z.unknown() as z.ZodType<JsonValue>;
export const metadata = z
  .record(z.string(), jsonValue)
  .optional()
  .describe("Further fields; null removes one");

/** The fields that plan the work on a spec or a task. */
const planning = {
  priority: z.enum(priorities).optional().describe("Priority. Without one it counts as medium"),
  labels: z.array(z.string().min(1)).optional().describe("Labels"),
  owner: text.describe("Owner"),
};
/** The filters of lists and of the next task by the fields that plan the work. */
export const workFilter = {
  priority: planning.priority.describe("Priority. Only specs and tasks with this one"),
  labels: planning.labels.describe("Only with all of these"),
  owner: planning.owner.describe("Owner. Only specs and tasks with this one"),
};

/** The fields of a spec besides its title. */
export const specTexts = {
  description: text,
  mission: text.describe("What the spec is for"),
  category: text,
  ...planning,
};
/** The fields of a phase. */
export const phaseFields = {
  title,
  description: text,
  purpose: text.describe("What the phase is for"),
  estimated_hours: hours,
};
/** The position of a phase. */
export const phasePosition = z
  .int()
  .min(0)
  .optional()
  .describe("Index among the phases, from 0 (default: last)");

/** The fields of a task, new or changed; all others go into `metadata`. */
export const taskFields = {
  description: text.describe("What to do"),
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
  depends_on: z.array(z.string()).optional(),
  ...taskFields,
});
/** The id of a task's parent. */
export const parent = id.describe("Phase or task to put it under");
/** The id of a dependency. */
export const target = id.describe("Task or phase that must be completed first");
/** The position of a task. */
export const position = z
  .int()
  .min(0)
  .optional()
  .describe(
    "Index among siblings, from 0 (default: last). Without one, work is added before trailing verify tasks",
  );
/** The journal text of a change of status. */
export const note = text.describe("Note for the journal and the tasks that wait for it");
/** The reason of a change of status. */
export const reason = z.string().min(1).describe("Reason");

/** The members of every payload about one spec. */
export const specRevision = { spec_id: z.string(), revision: z.string() };

/** Why a task cannot go on: one shape in every payload. */
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
