import type { JsonObject } from "@foundry-mcp/contract";
import type { Edit } from "../../../files/json-text/edit.ts";
import type { Change, ChangeContext, Plan } from "../change.ts";
import { requirePhase, requireTask } from "../find-node.ts";
import { requireDiscoveredFrom } from "../planning-fields.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";
import { unchanged } from "../unchanged.ts";
import type { PhaseInput } from "./add-phase.ts";
import { type FieldValues, requireFields, toFieldUpdate, type UpdatedFields } from "./field-update.ts";
import { finishChange } from "./finish-change.ts";
import type { WorkInput } from "./new-node.ts";

/** The task to update, and its new fields. */
export interface UpdateInput extends Partial<Omit<WorkInput, "title" | "type" | "metadata">> {
  readonly task_id: string;
  readonly title?: string | undefined;
  readonly actual_hours?: number | undefined;
  /** Values that are merged into the metadata; null removes a key. */
  readonly metadata?: JsonObject | undefined;
}

/** The result of updating a task. */
export interface UpdateResult extends UpdatedFields {
  readonly spec_id: string;
  readonly task_id: string;
}

/** Updates the fields of a task, except the status. Separate actions change the status. */
export function updateTask({ task_id, metadata = {}, ...fields }: UpdateInput): Plan<UpdateResult> {
  return (spec, context) => {
    const node = requireTask(spec, task_id, "update");
    requireDiscoveredFrom(spec, metadata["discovered_from"], "metadata.discovered_from");
    const { edits, result } = updateFields("task", node, fields, metadata);
    return finishUpdate(spec, context, task_id, edits, { spec_id: spec.id, task_id, ...result });
  };
}

/** The phase to update, and its new fields. */
export interface UpdatePhaseInput extends Omit<PhaseInput, "title" | "position" | "link_previous"> {
  readonly phase_id: string;
  readonly title?: string | undefined;
  /** Values that are merged into the metadata; null removes a key. */
  readonly metadata?: JsonObject | undefined;
}

/** The result of updating a phase. */
export interface UpdatePhaseResult extends UpdatedFields {
  readonly spec_id: string;
  readonly phase_id: string;
}

/**
 * Updates the fields of a phase. The status cannot be updated, because it is derived from the tasks of the
 * phase.
 */
export function updatePhase({
  phase_id,
  metadata = {},
  ...fields
}: UpdatePhaseInput): Plan<UpdatePhaseResult> {
  return (spec, context) => {
    const node = requirePhase(spec, phase_id, "update");
    const { edits, result } = updateFields("phase", node, { ...fields }, metadata);
    return finishUpdate(spec, context, phase_id, edits, { spec_id: spec.id, phase_id, ...result });
  };
}

function updateFields(kind: string, { id, raw }: SpecNode, fields: FieldValues, metadata: JsonObject) {
  requireFields(kind, fields, metadata);
  return toFieldUpdate({ path: ["hierarchy", id], raw }, fields, metadata);
}

function finishUpdate<R extends object>(
  spec: SpecModel,
  context: ChangeContext,
  id: string,
  edits: readonly Edit[],
  result: R,
): Change<R> {
  if (edits.length === 0) return unchanged(result, `${id} has these values already; nothing was changed`);
  return finishChange(spec, context, { edits, touched: [], result: () => result });
}
