import { z } from "zod";
import { workTypes } from "../specs/changes/new-node.ts";
import { taskFields } from "./task/task-parameters.ts";

/** What need not be said. */
export const text = z.string().optional();
/** What can be said of a phase. */
export const phaseFields = {
  title: z.string().min(1),
  description: text,
  purpose: text.describe("What it is for"),
  estimated_hours: z.number().min(0).optional(),
};
/** A task within a new phase. */
export const work = z.object({
  title: z.string().min(1),
  type: z.enum(workTypes).optional(),
  depends_on: z.array(z.string()).optional(),
  ...taskFields,
});
/** Where a phase stands. */
export const position = z.int().min(0).optional().describe("Among the phases, from 0");
/** Whether a phase waits for the one before. */
export const linkPrevious = z
  .boolean()
  .optional()
  .describe("Let it wait for the phase before (default: at the end, yes)");
