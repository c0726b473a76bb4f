import { z } from "zod";
import { workTypes } from "../model/changes/new-node.ts";
import { taskFields } from "./task-parameters.ts";

/** What need not be said. */
export const text = z.string().optional();
/** What a spec or a phase is called. */
export const title = z.string().min(1);
/** Fields without a parameter of their own. */
export const { metadata } = taskFields;
/** What can be said of a spec, beside its title. */
export const specTexts = {
  description: text,
  mission: text.describe("What it is for"),
  category: text,
  owner: text,
};
/** A phase. */
export const phaseId = z.string().min(1);
/** What can be said of a phase. */
export const phaseFields = {
  title,
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
