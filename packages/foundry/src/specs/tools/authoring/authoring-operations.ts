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
import {
  metadata,
  newTask,
  phaseFields,
  phaseId,
  phasePosition,
  specTexts,
  text,
  title,
} from "../parameters.ts";
import { type Operations, operation } from "./operation.ts";

/** The operations of `authoring` on an existing spec; its actions and `apply` share them. */
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
        .describe("Make the phase wait for the one before it (default: true for the last phase)"),
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
        .describe("Tasks with the fields of the action add of task, without parent"),
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
      link_previous: z
        .boolean()
        .optional()
        .describe("Make the phase wait for the one before it (default: as now)"),
    }),
    movePhase,
  ),
  "phase-remove": operation(
    () => ({
      phase_id: phaseId,
      force: z.boolean().optional().describe("Remove it even though tasks in it are open or claimed"),
      confirm: z.literal(true).describe("Confirm. Must be true: everything in the phase is removed"),
    }),
    ({ phase_id, force }) => guardSubtree(phase_id, { force }, "remove", removePhase({ phase_id, force })),
  ),
  "note-add": operation(
    () => ({
      kind: z.enum(noteKinds),
      text,
      likelihood: z.enum(levels).optional().describe("For a risk"),
      impact: z.enum(levels).optional().describe("For a risk"),
      mitigation: text.describe("For a risk"),
      version: text.describe("For a revision"),
      changes: text.describe("For a revision, instead of text"),
      author: text.describe("For a revision"),
    }),
    addNote,
  ),
  "find-replace": operation(
    () => ({
      find: z.string().min(1).max(256),
      replace: z.string().max(1_000).describe("With use_regex, $1 stands for the first group"),
      scope: z.enum(replaceScopes).optional().describe("Default: all"),
      use_regex: z.boolean().optional(),
      case_sensitive: z.boolean().optional().describe("Default: true"),
      force: z
        .boolean()
        .optional()
        .describe("Replace even in tasks that another agent holds (maintainers only)"),
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
    { remediation: "Give key and value together; null in metadata takes a field away." },
  );
}
