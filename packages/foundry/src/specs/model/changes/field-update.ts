import {
  isRecord,
  type JsonObject,
  type JsonValue,
  type UnknownRecord,
  validationError,
} from "@foundry-mcp/contract";
import type { Edit, EditPath } from "../../../files/json-text/edit.ts";
import { refuseForgedEvidence } from "../evidence/require-evidence.ts";
import { metadataEditsAt, setEdits } from "../node-edits.ts";
import { requirePlanning } from "../planning-fields.ts";
import { requireHours, requireTexts, requireTitle } from "../text-limits.ts";

/** A node or the spec itself as the owner of fields, and the path of the owner in the document. */
export interface FieldOwner {
  readonly path: EditPath;
  readonly raw: UnknownRecord;
}

/** The new values of fields by name; null removes a field, undefined leaves a field unchanged. */
export type FieldValues = Readonly<Record<string, JsonValue | undefined>>;

/** The result of an update of fields. */
export interface UpdatedFields {
  readonly fields_updated: readonly string[];
  /** The previous values of updated fields; null for a new field. */
  readonly previous_values: Readonly<Record<string, JsonValue>>;
}

/**
 * The edits and the result of an update. The list of edits is empty if all new values equal the stored
 * values.
 */
export interface FieldUpdate {
  readonly edits: readonly Edit[];
  readonly result: UpdatedFields;
}

/** Computes the update of named fields and of further metadata. */
export function toFieldUpdate(owner: FieldOwner, fields: FieldValues, metadata: JsonObject): FieldUpdate {
  const given = givenOf(fields);
  const named = new Set(given.map(([name]) => name));
  const updates = [
    ...given.map(([name, value]) => toUpdate(owner, name, value)),
    ...Object.entries(metadata)
      .filter(([key]) => !named.has(key) || key === "title")
      .map(([key, value]): Update => ({ field: `metadata.${key}`, location: "metadata", key, value })),
  ].filter((update) => isDifferent(owner, update));
  return {
    edits: [
      ...setEdits(owner.path, owner.raw, valuesOf(updates, "own")),
      ...metadataEditsAt(owner, valuesOf(updates, "metadata")),
    ],
    result: {
      fields_updated: updates.map(({ field }) => field),
      previous_values: Object.fromEntries(
        updates.map((update) => [update.field, storedValue(owner, update)]),
      ),
    },
  };
}

/** Throws for an update that has no fields, or that has values beyond the limits. */
export function requireFields(kind: string, fields: FieldValues, metadata: JsonObject): void {
  const given = givenOf(fields);
  if (given.length + Object.keys(metadata).length === 0) {
    throw validationError(
      { field: "title", constraint: "required" },
      {
        message: `Cannot update the ${kind}: no field was given`,
        remediation: "Give at least one field to update, such as title, description or metadata.",
      },
    );
  }
  for (const [name, value] of given) {
    if (name === "title") requireTitle(name, typeof value === "string" ? value : "");
    if (typeof value === "number") requireHours(name, value);
    requireTexts(name, value);
  }
  requirePlanning(fields);
  requireTexts("metadata", metadata);
  requirePlanning(metadata, "metadata.");
  refuseForgedEvidence(kind, metadata);
}

interface Update {
  readonly field: string;
  readonly location: "own" | "metadata";
  readonly key: string;
  readonly value: JsonValue;
}

function givenOf(fields: FieldValues): readonly (readonly [string, JsonValue])[] {
  return Object.entries(fields).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
}

/**
 * Returns the update of one field. The title is stored in the node itself; in some files, the description is
 * stored in the node as well. All other fields are stored in the metadata.
 */
function toUpdate({ raw }: FieldOwner, key: string, value: JsonValue): Update {
  const isOwn =
    key === "title" ||
    (key === "description" && typeof raw[key] === "string" && metadataOf(raw)[key] === undefined);
  return { field: key, location: isOwn ? "own" : "metadata", key, value };
}

function metadataOf({ metadata }: UnknownRecord): UnknownRecord {
  return isRecord(metadata) ? metadata : {};
}

function recordOf({ raw }: FieldOwner, { location }: Update): UnknownRecord {
  return location === "own" ? raw : metadataOf(raw);
}

function storedValue(owner: FieldOwner, update: Update): JsonValue {
  const record = recordOf(owner, update);
  return Object.hasOwn(record, update.key) ? (record[update.key] as JsonValue) : null;
}

function isDifferent(owner: FieldOwner, update: Update): boolean {
  return setEdits([], recordOf(owner, update), valuesOf([update], update.location)).length > 0;
}

function valuesOf(updates: readonly Update[], wanted: Update["location"]): FieldValues {
  const matching = updates.filter((update) => update.location === wanted);
  return Object.fromEntries(matching.map(({ key, value }) => [key, value ?? undefined]));
}
