import type { JsonObject } from "@foundry-mcp/contract";
import type { Plan } from "../change.ts";
import { requireTask } from "../find-node.ts";
import { requireFields, toFieldUpdate, type UpdatedFields } from "./field-update.ts";
import { finishChange, unchanged } from "./finish-change.ts";
import type { WorkInput } from "./new-node.ts";

/** The task to update, and what of it. */
export interface UpdateInput extends Partial<Omit<WorkInput, "type" | "metadata">> {
  readonly task_id: string;
  readonly actual_hours?: number | undefined;
  /** Merged into the metadata; null takes a key away. */
  readonly metadata?: JsonObject | undefined;
}

/** What is told of an update. */
export interface UpdateResult extends UpdatedFields {
  readonly spec_id: string;
  readonly task_id: string;
}

/** Updates what a task says of itself; its status has actions of its own. */
export function updateTask({ task_id, metadata = {}, ...fields }: UpdateInput): Plan<UpdateResult> {
  return (spec, context) => {
    const { raw } = requireTask(spec, task_id, "update");
    requireFields("task", fields, metadata);
    const { edits, result: updated } = toFieldUpdate({ path: ["hierarchy", task_id], raw }, fields, metadata);
    const result = { spec_id: spec.id, task_id, ...updated };
    if (edits.length === 0)
      return unchanged(result, `${task_id} has these values already; nothing was changed`);
    return finishChange(spec, context, { edits, touched: [], result: () => result });
  };
}
