import type { Queryable } from "../../../postgres/database.ts";
import type { IdempotencyKey } from "../spec-store.ts";
import { replayResponse, type StoredResponse, toResponseName } from "../stored-response.ts";

/** A stored response as a row of foundry.answer. */
export interface ResponseRow {
  readonly name: string;
  readonly at: number;
  readonly text: string;
}

/** Finds the stored response to an earlier call with this key; undefined if there was none. */
export async function findResponse<R>(
  queryable: Queryable,
  workspace: number,
  scope: string,
  key: IdempotencyKey,
  now: string,
) {
  const [row] = await queryable.query<{ readonly answer: string }>({
    name: "foundry_answer",
    text: "SELECT answer FROM foundry.answer WHERE workspace = $1 AND scope = $2 AND name = $3",
    values: [workspace, scope, toResponseName(key)],
  });
  return replayResponse<R>(key, row && (JSON.parse(row.answer) as StoredResponse), now);
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
