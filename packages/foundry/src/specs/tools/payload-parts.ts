import { payload, rows } from "@foundry-mcp/toolkit";
import { z } from "zod";

// The parts that several payloads share.

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
