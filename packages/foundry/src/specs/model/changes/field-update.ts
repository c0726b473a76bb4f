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
import { requireHours, requireTexts, requireTitle } from "../text-limits.ts";

/** What can be told of in fields: a node or the spec itself, with what is above it in the document. */
export interface FieldOwner {
  readonly path: EditPath;
  readonly raw: UnknownRecord;
}

/** Values for fields, by name; null takes one away, and undefined leaves it. */
export type FieldValues = Readonly<Record<string, JsonValue | undefined>>;

/** What is told of an update of fields. */
export interface UpdatedFields {
  readonly fields_updated: readonly string[];
  /** Of the fields that were updated; null where there was none. */
  readonly previous_values: Readonly<Record<string, JsonValue>>;
}

/** The edits of an update, and what is told of it; no edits where everything is so already. */
export interface FieldUpdate {
  readonly edits: readonly Edit[];
  readonly result: UpdatedFields;
}

/** Updates fields by their names, and further metadata by its keys. */
export function toFieldUpdate(of: FieldOwner, fields: FieldValues, metadata: JsonObject): FieldUpdate {
  const given = givenOf(fields);
  const named = new Set(given.map(([name]) => name));
  const updates = [
    ...given.map(([name, value]) => toUpdate(of, name, value)),
    ...Object.entries(metadata)
      .filter(([key]) => !named.has(key) || key === "title")
      .map(([key, value]): Update => ({ field: `metadata.${key}`, place: "metadata", key, value })),
  ].filter((update) => isDifferent(of, update));
  return {
    edits: [
      ...setEdits(of.path, of.raw, valuesOf(updates, "own")),
      ...metadataEditsAt(of, valuesOf(updates, "metadata")),
    ],
    result: {
      fields_updated: updates.map(({ field }) => field),
      previous_values: Object.fromEntries(updates.map((update) => [update.field, heldOf(of, update)])),
    },
  };
}

/** Refuses an update that says nothing, or whose values are beyond the limits. */
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
  requireTexts("metadata", metadata);
  refuseForgedEvidence(kind, metadata);
}

interface Update {
  readonly field: string;
  readonly place: "own" | "metadata";
  readonly key: string;
  readonly value: JsonValue;
}

function givenOf(fields: FieldValues): readonly (readonly [string, JsonValue])[] {
  return Object.entries(fields).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
}

/** Titles stand in the node itself, and in some files descriptions do. */
function toUpdate({ raw }: FieldOwner, key: string, value: JsonValue): Update {
  const isOwn =
    key === "title" ||
    (key === "description" && typeof raw[key] === "string" && metadataOf(raw)[key] === undefined);
  return { field: key, place: isOwn ? "own" : "metadata", key, value };
}

function metadataOf({ metadata }: UnknownRecord): UnknownRecord {
  return isRecord(metadata) ? metadata : {};
}

function holderOf({ raw }: FieldOwner, { place }: Update): UnknownRecord {
  return place === "own" ? raw : metadataOf(raw);
}

function heldOf(of: FieldOwner, update: Update): JsonValue {
  const holder = holderOf(of, update);
  return Object.hasOwn(holder, update.key) ? (holder[update.key] as JsonValue) : null;
}

function isDifferent(of: FieldOwner, update: Update): boolean {
  return setEdits([], holderOf(of, update), valuesOf([update], update.place)).length > 0;
}

function valuesOf(updates: readonly Update[], wanted: Update["place"]): FieldValues {
  const fit = updates.filter((update) => update.place === wanted);
  return Object.fromEntries(fit.map(({ key, value }) => [key, value ?? undefined]));
}
