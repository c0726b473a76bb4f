import type { JsonObject } from "@foundry-mcp/contract";
import type { Plan } from "../change.ts";
import { requirePhase } from "../find-node.ts";
import { requireFields, toFieldUpdate, type UpdatedFields } from "./field-update.ts";
import { finishChange, unchanged } from "./finish-change.ts";

/** The phase to update, and what of it. */
export interface UpdatePhaseInput {
  readonly phase_id: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly purpose?: string | undefined;
  readonly estimated_hours?: number | undefined;
  /** Merged into the metadata; null takes a key away. */
  readonly metadata?: JsonObject | undefined;
}

/** What is told of an update of a phase. */
export interface UpdatePhaseResult extends UpdatedFields {
  readonly spec_id: string;
  readonly phase_id: string;
}

/** Updates what a phase says of itself; its status follows from what is below it. */
export function updatePhase({
  phase_id,
  metadata = {},
  ...fields
}: UpdatePhaseInput): Plan<UpdatePhaseResult> {
  return (spec, context) => {
    const { raw } = requirePhase(spec, phase_id, "update");
    requireFields("phase", { ...fields }, metadata);
    const { edits, result: updated } = toFieldUpdate(
      { path: ["hierarchy", phase_id], raw },
      { ...fields },
      metadata,
    );
    const result = { spec_id: spec.id, phase_id, ...updated };
    if (edits.length === 0)
      return unchanged(result, `${phase_id} has these values already; nothing was changed`);
    return finishChange(spec, context, { edits, touched: [], result: () => result });
  };
}
