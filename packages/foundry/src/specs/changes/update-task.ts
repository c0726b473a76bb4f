import { type JsonObject, type JsonValue, type UnknownRecord, validationError } from "@foundry-mcp/contract";
import type { Plan } from "../change.ts";
import type { SpecNode } from "../spec-model.ts";
import { requireHours, requireTexts, requireTitle } from "../text-limits.ts";
import { requireTask } from "./find-node.ts";
import { finishChange, unchanged } from "./finish-change.ts";
import type { WorkInput } from "./new-node.ts";
import { metadataEdits, setEdits } from "./node-edits.ts";

/** The task to update, and what of it. */
export interface UpdateInput extends Partial<Omit<WorkInput, "type" | "metadata">> {
  readonly task_id: string;
  readonly actual_hours?: number | undefined;
  /** Merged into the metadata; null takes a key away. */
  readonly metadata?: JsonObject | undefined;
}

/** What is told of an update. */
export interface UpdateResult {
  readonly spec_id: string;
  readonly task_id: string;
  readonly fields_updated: readonly string[];
  /** Of the fields that were updated; null where there was none. */
  readonly previous_values: Readonly<Record<string, JsonValue>>;
}

/** Updates what a task says of itself; its status has actions of its own. */
export function updateTask({ task_id, metadata = {}, ...fields }: UpdateInput): Plan<UpdateResult> {
  const given = Object.entries<JsonValue | undefined>(fields).filter(([, value]) => value !== undefined);
  return (spec, context) => {
    const node = requireTask(spec, task_id, "update");
    requireFields(given, metadata);
    const named = new Set(given.map(([name]) => name));
    const updates = [
      ...given.map(([name, value]) => toUpdate(node, name, value)),
      ...Object.entries(metadata)
        .filter(([key]) => !named.has(key) || key === "title")
        .map(([key, value]): Update => ({ field: `metadata.${key}`, place: "metadata", key, value })),
    ].filter((update) => isDifferent(node, update));
    const result: UpdateResult = {
      spec_id: spec.id,
      task_id,
      fields_updated: updates.map(({ field }) => field),
      previous_values: Object.fromEntries(updates.map((update) => [update.field, heldOf(node, update)])),
    };
    if (updates.length === 0)
      return unchanged(result, `${task_id} has these values already; nothing was changed`);
    return finishChange(spec, context, {
      edits: [
        ...setEdits(["hierarchy", task_id], node.raw, valuesOf(updates, "node")),
        ...metadataEdits(node, valuesOf(updates, "metadata")),
      ],
      touched: [],
      result: () => result,
    });
  };
}

interface Update {
  readonly field: string;
  readonly place: "node" | "metadata";
  readonly key: string;
  readonly value: JsonValue | undefined;
}

/** Titles stand in the node itself, and in some files descriptions do. */
function toUpdate({ raw, metadata }: SpecNode, key: string, value: JsonValue | undefined): Update {
  const isOwn =
    key === "title" || (key === "description" && typeof raw[key] === "string" && metadata[key] === undefined);
  return { field: key, place: isOwn ? "node" : "metadata", key, value };
}

function holderOf({ raw, metadata }: SpecNode, { place }: Update): UnknownRecord {
  return place === "node" ? raw : metadata;
}

function heldOf(node: SpecNode, update: Update): JsonValue {
  const holder = holderOf(node, update);
  return Object.hasOwn(holder, update.key) ? (holder[update.key] as JsonValue) : null;
}

function isDifferent(node: SpecNode, update: Update): boolean {
  return setEdits([], holderOf(node, update), valuesOf([update], update.place)).length > 0;
}

function valuesOf(
  updates: readonly Update[],
  wanted: Update["place"],
): Readonly<Record<string, JsonValue | undefined>> {
  const fit = updates.filter((update) => update.place === wanted);
  return Object.fromEntries(fit.map(({ key, value }) => [key, value ?? undefined]));
}

function requireFields(
  given: readonly (readonly [string, JsonValue | undefined])[],
  metadata: JsonObject,
): void {
  if (given.length + Object.keys(metadata).length === 0) {
    throw validationError(
      { field: "title", constraint: "required" },
      {
        message: "Cannot update the task: no field was given",
        remediation: "Give at least one field to update, such as title, description or metadata.",
      },
    );
  }
  for (const [name, value] of given) {
    if (name === "title") requireTitle(name, String(value));
    if (typeof value === "number") requireHours(name, value);
    requireTexts(name, value);
  }
  requireTexts("metadata", metadata);
}
