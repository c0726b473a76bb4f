import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import type { CompatibleParameter } from "@foundry-mcp/toolkit";

/** A parameter that asks for what is always done; any value is taken. */
export const always: CompatibleParameter = () => ({});

/** A parameter that is refused, with the reason. */
export const refused =
  (reason: string): CompatibleParameter =>
  () =>
    reason;

/** A parameter of which one value is what is done here. */
export const only =
  (accepted: unknown, reason: string): CompatibleParameter =>
  (value) =>
    value === accepted ? {} : reason;

/** A parameter that is a member of the metadata here. */
export const inMetadata =
  (name: string): CompatibleParameter =>
  (value) => ({ metadata: { [name]: value } });

/** A list of which each element is an operation of a batch. */
export const asOperations =
  (toOperation: (element: unknown) => UnknownRecord | undefined, wanted: string): CompatibleParameter =>
  (value) => {
    const operations = Array.isArray(value) ? value.map(toOperation) : [];
    if (operations.length === 0 || operations.includes(undefined)) return `Give ${wanted}.`;
    return { operations };
  };

/** An operation of a batch on the task of this id. */
export const onTask =
  (op: string, more: UnknownRecord = {}) =>
  (id: unknown): UnknownRecord | undefined =>
    typeof id === "string" ? { op, task_id: id, ...more } : undefined;

/** A completion of the reference: one that did not succeed blocks its task, with the note as the reason. */
export function toCompletion(element: unknown): UnknownRecord | undefined {
  if (!isRecord(element)) return undefined;
  const { task_id, success = true, completion_note: note } = element;
  if (typeof task_id !== "string" || (note !== undefined && typeof note !== "string")) return undefined;
  if (success === true) return { op: "complete", task_id, ...(note === undefined ? {} : { note }) };
  return { op: "block", task_id, reason: note ?? "It failed." };
}

/** Fields of all tasks of a list that do not have them themselves. */
export const withDefaults: CompatibleParameter = (defaults, { tasks }) => {
  if (!isRecord(defaults) || !Array.isArray(tasks))
    return "Give metadata_defaults as an object, beside tasks.";
  return { tasks: tasks.map((task) => (isRecord(task) ? { ...defaults, ...task } : task)) };
};
