import { isRecord, type JsonObject, type JsonValue, validationError } from "@foundry-mcp/contract";
import type { Edit } from "../../../files/json-text/edit.ts";
import type { Plan } from "../change.ts";
import { definedValues, metadataEdits, metadataEditsAt, setEdits } from "../node-edits.ts";
import { rootId } from "../spec-document.ts";
import type { SpecModel } from "../spec-model.ts";
import { unchanged } from "../unchanged.ts";
import type { NewSpecInput } from "./create-spec.ts";
import { requireFields, toFieldUpdate, type UpdatedFields } from "./field-update.ts";
import { finishChange } from "./finish-change.ts";
import { isNoteField } from "./notes.ts";

/** The new fields of a spec. */
export interface UpdateSpecInput extends Omit<NewSpecInput, "title" | "phases"> {
  readonly title?: string | undefined;
  /**
   * Values that are merged into the metadata; null removes a key. A key that is the name of another field of
   * this input sets that field.
   */
  readonly metadata?: JsonObject | undefined;
}

/** The result of updating a spec. */
export interface UpdateSpecResult extends UpdatedFields {
  readonly spec_id: string;
  readonly title: string;
}

const namedFields = ["title", "description", "mission", "owner", "category", "priority", "labels"] as const;

/** The derived fields, each with instructions for a change of its value. */
const derivedFields: Readonly<Record<string, string>> = {
  status: "Move the spec to another status with {2}; {1} shows what is left to do.",
  progress_percentage: "Complete tasks, from which the progress is derived; {1} shows the next one.",
  current_phase: "Complete tasks, from which the current phase is derived; {1} shows the next one.",
};

/** Updates the fields of a spec, and the copies of these fields in the file. */
export function updateSpec({ metadata = {}, ...input }: UpdateSpecInput): Plan<UpdateSpecResult> {
  const isNamed = (key: string) => (namedFields as readonly string[]).includes(key);
  const entries = Object.entries(metadata);
  const fields = {
    ...Object.fromEntries(entries.filter(([key]) => isNamed(key))),
    ...definedValues({ ...input }),
  };
  const others = Object.fromEntries(entries.filter(([key]) => !isNamed(key)));
  return (spec, context) => {
    requireFields("spec", fields, others);
    for (const [key, value] of Object.entries(others)) requireWritable(spec.id, key, value);
    const { edits, result: updated } = toFieldUpdate({ path: [], raw: spec.fields }, fields, others);
    const all = [...edits, ...mirrorEdits(spec, fields)];
    if (all.length === 0)
      return unchanged(
        { spec_id: spec.id, title: spec.title, ...updated },
        `${spec.id} has these values already; nothing was changed`,
      );
    return finishChange(spec, context, {
      edits: all,
      touched: [],
      result: (after) => ({ spec_id: spec.id, title: after.title, ...updated }),
    });
  };
}

/**
 * Returns the edits of the copies. The root repeats the title and the category, and some files repeat the
 * title in their metadata.
 */
function mirrorEdits(spec: SpecModel, { title, category }: Readonly<Record<string, JsonValue>>) {
  const root = spec.node(rootId);
  const edits: Edit[] = [];
  if (title !== undefined) {
    if (Object.hasOwn(spec.metadata, "title"))
      edits.push(...metadataEditsAt({ path: [], raw: spec.fields }, { title }));
    if (root !== undefined) edits.push(...setEdits(["hierarchy", rootId], root.raw, { title }));
  }
  if (category !== undefined && root !== undefined && Object.hasOwn(root.metadata, "category"))
    edits.push(...metadataEdits(root, { category: category ?? undefined }));
  return edits;
}

/** Throws for a derived field, and for a value that would replace a list of notes with something else. */
function requireWritable(spec_id: string, key: string, value: JsonValue): void {
  const field = `metadata.${key}`;
  const remediation = Object.hasOwn(derivedFields, key) ? derivedFields[key] : undefined;
  if (remediation !== undefined) {
    throw validationError(
      { field, constraint: "derived" },
      {
        message: `Cannot set ${key} of a spec: it is derived from other fields`,
        remediation,
        remedy: [
          { tool: "task", action: "next", arguments: { spec_id } },
          ...(key === "status"
            ? [{ tool: "lifecycle", action: "move", arguments: { spec_id }, needs: ["to_folder"] }]
            : []),
        ],
      },
    );
  }
  if (!isNoteField(key) || value === null || isListOfNotes(value)) return;
  throw validationError(
    { field, constraint: "type", received: value, expected: "a list of texts or objects" },
    {
      remediation: "Give a list, or add to it with {1}.",
      remedy: {
        tool: "authoring",
        action: "note-add",
        arguments: { spec_id },
        needs: ["kind", "text"],
      },
    },
  );
}

function isListOfNotes(value: JsonValue): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "string" || isRecord(each));
}
