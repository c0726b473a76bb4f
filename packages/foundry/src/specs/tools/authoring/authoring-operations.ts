import { validationError } from "@foundry-mcp/contract";
import { z } from "zod";
import { addPhase, addPhaseBulk } from "../../model/changes/add-phase.ts";
import { findReplace, replaceScopes } from "../../model/changes/find-replace.ts";
import { movePhase } from "../../model/changes/move-phase.ts";
import { addNote, noteKinds } from "../../model/changes/notes.ts";
import { removePhase } from "../../model/changes/remove-phase.ts";
import { updatePhase } from "../../model/changes/update-node.ts";
import { updateSpec } from "../../model/changes/update-spec.ts";
import { guardSubtree } from "../../model/claims/claim-guard.ts";
import { levels } from "../../model/known-values.ts";
import { confirmation, phasePosition } from "../change-parameters.ts";
import { metadata, newTask, phaseFields, specTexts } from "../node-fields.ts";
import { phaseId, text, title } from "../parameters.ts";
import { type Operations, operation } from "./operation.ts";

/**
 * The operations of `authoring` that change an existing spec. The actions of `authoring` and the action
 * `apply` use the same operations.
 */
export const authoringOperations = {
  "spec-update": operation(
    () => ({
      title: title.optional(),
      ...specTexts,
      metadata,
      key: z.string().min(1).optional().describe("Name of one metadata field to set; needs value"),
      value: text,
    }),
    ({ key, value, metadata: others, ...input }) =>
      updateSpec({ ...input, metadata: { ...others, ...toField(key, value) } }),
  ),
  "phase-add": operation(
    () => ({
      ...phaseFields,
      position: phasePosition,
      link_previous: z
        .boolean()
        .optional()
        .describe("Make the phase wait for the previous phase (default: true for the last phase)"),
    }),
    addPhase,
    "phase_id",
  ),
  "phase-add-bulk": operation(
    () => ({
      phase: z.object({
        ...phaseFields,
        position: z.int().min(0).optional(),
        link_previous: z.boolean().optional(),
      }),
      tasks: z
        .array(newTask)
        .min(1)
        .describe("Tasks, each with the parameters of the action add of task, without parent"),
    }),
    addPhaseBulk,
    "phase_id",
  ),
  "phase-update": operation(
    () => ({ phase_id: phaseId, ...phaseFields, title: title.optional(), metadata }),
    updatePhase,
  ),
  "phase-move": operation(
    () => ({
      phase_id: phaseId,
      position: phasePosition,
      link_previous: z.boolean().optional().describe("Likewise (default: unchanged)"),
    }),
    movePhase,
  ),
  "phase-remove": operation(
    () => ({
      phase_id: phaseId,
      force: z.boolean().optional().describe("Remove the phase even if its tasks are open or claimed"),
      confirm: confirmation("removes the phase and its tasks"),
    }),
    ({ phase_id, force }) => guardSubtree(phase_id, { force }, "remove", removePhase({ phase_id, force })),
  ),
  "note-add": operation(
    () => ({
      kind: z.enum(noteKinds),
      text,
      likelihood: z.enum(levels).optional().describe("Only for risks"),
      impact: z.enum(levels).optional().describe("Only for risks"),
      mitigation: text.describe("Only for risks"),
      version: text.describe("Only for revision notes"),
      changes: text.describe("Only for revision notes. Changes that the note describes, instead of text"),
      author: text.describe("Only for revision notes"),
    }),
    addNote,
  ),
  "find-replace": operation(
    () => ({
      find: z.string().min(1).max(256),
      replace: z.string().max(1_000).describe("Replacement; with use_regex, $1 inserts the first group"),
      scope: z.enum(replaceScopes).optional().describe("Fields to change (default: all)"),
      use_regex: z.boolean().optional(),
      case_sensitive: z.boolean().optional().describe("Match case (default: true)"),
      force: z
        .boolean()
        .optional()
        .describe("Replace even in tasks that another agent has claimed (maintainers only)"),
    }),
    ({ scope, force, ...pattern }, createReplace) =>
      findReplace({ scope, force, replace: createReplace(pattern) }),
  ),
} satisfies Operations;

function toField(key: string | undefined, value: string | undefined): Readonly<Record<string, string>> {
  if (key === undefined && value === undefined) return {};
  if (key !== undefined && value !== undefined) return Object.fromEntries([[key, value]]);
  const field = key === undefined ? "key" : "value";
  throw validationError(
    { field, constraint: "required" },
    { remediation: "Give {--key} and {--value} together; null in {--metadata} removes a field." },
  );
}
