import type { JsonValue } from "@foundry-mcp/contract";
import { payload, rows } from "@foundry-mcp/toolkit";
import { z } from "zod";
import { workTypes } from "../model/changes/new-node.ts";
import { priorities } from "../model/known-values.ts";

// Parameters that several actions share, so that one name has one meaning everywhere.

export const specId = z.string().min(1).describe("Id of the spec");
/** The id of a task, subtask or verification. */
export const taskId = z.string().min(1).describe("Id of the task");
export const phaseId = z.string().min(1);
export const dryRun = z.boolean().optional().describe("Dry run; only say what would be done");
export const idempotencyKey = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe("Idempotency key; a call that is repeated with it within a day is made once");
/** The revision that the caller of a read already has. */
export const since = z
  .string()
  .optional()
  .describe("Only what is newer; the spec is not told where it is still at this revision");

/** The options of every change. */
export const changeOptions = {
  if_revision: z.string().optional().describe("If revision; change only this one"),
  dry_run: dryRun,
  idempotency_key: idempotencyKey,
};
/** The parameters of every change of a spec. */
export const specChangeFields = { spec_id: specId, ...changeOptions };
/** The parameters that let a change pass the claim guard. */
export const claimFields = {
  claim_token: z.string().optional().describe("Of the lease; where the task is held"),
  force: z.boolean().optional().describe("Although held; by somebody else"),
};
/** The parameters of every change of a task. */
export const taskChangeFields = { spec_id: specId, task_id: taskId, ...changeOptions, ...claimFields };

export const text = z.string().optional();
/** The title of a spec or a phase. */
export const title = z.string().min(1);
const hours = z.number().min(0).optional();
// Arguments arrive as JSON, so that every value of the record is a JSON value.
const jsonValue = z.unknown() as z.ZodType<JsonValue>;
export const metadata = z.record(z.string(), jsonValue).optional().describe("Other fields, null removes one");

/** The fields that plan the work on a spec or a task. */
const planning = {
  priority: z.enum(priorities).optional().describe("Default: medium"),
  labels: z.array(z.string().min(1)).optional(),
  owner: text,
};
/** The filters of lists and of the next task by the fields that plan the work. */
export const workFilter = {
  ...planning,
  labels: planning.labels.describe("As a filter: all of them"),
};

/** The fields of a spec besides its title. */
export const specTexts = {
  description: text,
  mission: text.describe("What it is for"),
  category: text,
  ...planning,
};
/** The fields of a phase. */
export const phaseFields = {
  title,
  description: text,
  purpose: text.describe("What it is for"),
  estimated_hours: hours,
};
/** The position of a phase. */
export const phasePosition = z.int().min(0).optional().describe("Among the phases, from 0");

/** The fields of a task, new or changed; all others go into `metadata`. */
export const taskFields = {
  description: text.describe("What is to be done"),
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
export const parent = z.string().min(1).describe("The phase or task above it");
/** The id of a dependency. */
export const target = z.string().min(1).describe("Target id; what must be done before");
/** The position of a task. */
export const position = z.int().min(0).optional().describe("Among its siblings, from 0");
/** The journal text of a change of status. */
export const note = text.describe("Said in the journal");
/** The reason of a change of status. */
export const reason = z.string().min(1).describe("Reason; why");

/** The members of every payload about one spec. */
export const specRevision = { spec_id: z.string(), revision: z.string() };

/** The nodes that a change created. */
export const createdNodes = () =>
  rows({ id: z.string(), title: z.string(), type: z.string(), parent: z.string().nullable() });

/** The payload of a read that takes `since`. */
export const payloadOrUnchanged = (shape: Readonly<Record<string, z.ZodType>>) =>
  z.union([payload(shape), payload({ ...specRevision, unchanged: z.literal(true) })]);

/** Returns the payload of a read whose caller already has the current revision. */
export const toUnchanged = (spec_id: string, revision: string) => ({ spec_id, revision, unchanged: true });
