import { z } from "zod";
import { priorities } from "../model/known-values.ts";
import { text } from "./parameters.ts";

// The parameters that plan the work on a spec or a task, and that filter by these fields.

/** The fields that plan the work on a spec or a task. */
export const planning = {
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
