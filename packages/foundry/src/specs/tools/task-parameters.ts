import { z } from "zod";

const text = z.string().optional();

/** What can be said of a task; one list for new ones and for changes. Everything else goes into `metadata`. */
export const taskFields = {
  description: text.describe("What is to be done"),
  file_path: text,
  acceptance_criteria: z.array(z.string()).optional(),
  task_category: text,
  estimated_hours: z.number().min(0).optional(),
  metadata: z.record(z.string(), z.unknown()).optional().describe("Other fields, null removes one"),
};

/** What is above a task. */
export const parent = z.string().min(1).describe("The phase or task above it");
/** What a task depends on. */
export const target = z.string().min(1).describe("Target id; what must be done before");
/** Where a task stands. */
export const position = z.int().min(0).optional().describe("Among its siblings, from 0");
/** What is told of a change of status. */
export const note = text.describe("Said in the journal");
/** Why a status changes. */
export const reason = z.string().min(1).describe("Reason; why");
