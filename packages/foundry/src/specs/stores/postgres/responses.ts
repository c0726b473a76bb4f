import type { Queryable } from "../../../postgres/database.ts";
import type { IdempotencyKey } from "../spec-store.ts";
import { replayResponse, type StoredResponse, toResponseName } from "../stored-response.ts";

/** A stored response as a row of foundry.answer. */
export interface ResponseRow {
  readonly name: string;
  readonly at: number;
  readonly text: string;
}

/** Reads the stored responses to earlier calls with these keys, by name. */
export async function readResponses(
  queryable: Queryable,
  workspace: number,
  scope: string,
  keys: readonly IdempotencyKey[],
): Promise<ReadonlyMap<string, StoredResponse>> {
  if (keys.length === 0) return new Map();
  const rows = await queryable.query<{ readonly name: string; readonly answer: string }>({
    name: "foundry_answers",
    text: "SELECT name, answer FROM foundry.answer WHERE workspace = $1 AND scope = $2 AND name = ANY($3)",
    values: [workspace, scope, keys.map(toResponseName)],
  });
  return new Map(rows.map(({ name, answer }) => [name, JSON.parse(answer) as StoredResponse]));
}

/** Finds the stored response to an earlier call with this key; undefined if there is no such response. */
export async function findResponse<R>(
  queryable: Queryable,
  workspace: number,
  scope: string,
  key: IdempotencyKey,
  now: string,
) {
  const stored = await readResponses(queryable, workspace, scope, [key]);
  return replayResponse<R>(key, stored.get(toResponseName(key)), now);
}

/** Serializes a response as a row. */
export function toResponseRow(
  key: IdempotencyKey,
  at: string,
  revision: string,
  result: unknown,
  warnings: readonly string[],
): ResponseRow {
  const stored: StoredResponse = { fingerprint: key.fingerprint, at, revision, result, warnings };
  return { name: toResponseName(key), at: Date.parse(at), text: JSON.stringify(stored) };
}
