import { z } from "zod";

// The parameters that several actions share, so that each name has the same meaning everywhere.

/** An id. White space at the ends of an id is refused, because it would become part of the id. */
export const id = z
  .string()
  .regex(/^\S(?:[\s\S]*\S)?$/, "must not be empty, and must not begin or end with white space");
export const specId = id.describe("Id of the spec");
/** The id of a task, subtask or verification. */
export const taskId = id.describe("Id of the task");
export const phaseId = id;
/** The revision that the caller of a read has already received. */
export const since = z.string().optional().describe("Revision you have; an unchanged spec is not sent");
export const text = z.string().optional();
/** The title of a spec or a phase. */
export const title = z.string().min(1);
export const hours = z.number().min(0).optional();
