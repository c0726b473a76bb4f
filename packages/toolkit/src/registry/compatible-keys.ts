import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";

/**
 * Computes the value of an added key from the record to which it is added; returns undefined if the record
 * does not contain the required data.
 */
export type CompatibleKey = (record: UnknownRecord) => unknown;

/** Keys of another server's answer that are added to the answer of an action, and functions that compute them. */
export interface CompatibleAnswer {
  readonly tool: string;
  readonly action: string;
  /**
   * The functions by key. `tasks[].id` is the key `id` of every row of the list `tasks`; `spec.id` is the key `id` of the
   * object `spec`, computed from the object that contains `spec`.
   */
  readonly keys: Readonly<Record<string, CompatibleKey>>;
}

/** Adds keys to the payload of an action. */
export type AddKeys = (tool: string, action: string, data: UnknownRecord) => UnknownRecord;

/** Creates the function that adds the keys; an existing key keeps its value. */
export function createAddKeys(answers: readonly CompatibleAnswer[]): AddKeys {
  const byName = new Map(answers.map((answer) => [`${answer.tool} ${answer.action}`, answer]));
  return (tool, action, data) =>
    Object.entries(byName.get(`${tool} ${action}`)?.keys ?? {}).reduce(addKey, data);
}

function addKey(data: UnknownRecord, [path, compute]: readonly [string, CompatibleKey]): UnknownRecord {
  const [list = "", key] = path.split("[].");
  if (key === undefined) return withPath(data, path.split("."), compute);
  const rows = data[list];
  if (!Array.isArray(rows)) return data;
  return { ...data, [list]: rows.map((row) => (isRecord(row) ? withKey(row, key, compute) : row)) };
}

function withPath(
  data: UnknownRecord,
  [name = "", key]: readonly string[],
  compute: CompatibleKey,
): UnknownRecord {
  if (key === undefined) return withKey(data, name, compute);
  const inner = data[name];
  return isRecord(inner) ? { ...data, [name]: withKey(inner, key, () => compute(data)) } : data;
}

function withKey(record: UnknownRecord, key: string, compute: CompatibleKey): UnknownRecord {
  const value = Object.hasOwn(record, key) ? undefined : compute(record);
  return value === undefined ? record : { ...record, [key]: value };
}
