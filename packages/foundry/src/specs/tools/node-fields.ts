import type { JsonValue } from "@foundry-mcp/contract";
import { z } from "zod";
import { workTypes } from "../model/changes/new-node.ts";
import { hours, text, title } from "./parameters.ts";
import { planning } from "./planning-parameters.ts";

// The fields of new and changed specs, phases and tasks.

// Arguments arrive as JSON, so every value of the record is a JSON value.
const jsonValue = z.unknown() as z.ZodType<JsonValue>;
export const metadata = z
  .record(z.string(), jsonValue)
  .optional()
  .describe("Further fields; null removes one");
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
