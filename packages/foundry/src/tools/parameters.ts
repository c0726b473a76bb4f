import { z } from "zod";

/** The parameters that many actions share: one name has one meaning everywhere. */
export const specId = z.string().min(1).describe("Id of the spec");
/** A task, subtask or verification. */
export const taskId = z.string().min(1).describe("Id of the task");
/** Refuses a change of anything else than was read. */
export const ifRevision = z.string().optional().describe("Change only this revision");
/** Plans, checks and answers, and writes nothing. */
export const dryRun = z.boolean().optional().describe("Only say what would be done");
/** Of everything that changes a spec. */
export const guards = { if_revision: ifRevision, dry_run: dryRun };
/** Of what changes one spec. */
export const changedSpec = { spec_id: specId, ...guards };
/** Of what changes one task. */
export const changedTask = { spec_id: specId, task_id: taskId, ...guards };

/** A payload that says which spec it is about, and its revision. */
export const aboutSpec = { spec_id: z.string(), revision: z.string() };

type Shape = Readonly<Record<string, z.ZodType>>;

/**
 * A payload of which these members are told, and others may stand beside them. What a handler returns is held
 * against it when it runs; its type says no more than that it is an object.
 */
export const payload = (shape: Shape) => z.looseObject(shape) as unknown as z.ZodType<object>;

/** A list of such objects. */
export const rows = (shape: Shape) => z.array(z.looseObject(shape));
