import type { Queryable } from "../../../postgres/database.ts";
import { answerAgain, type KeptAnswer, toAnswerName } from "../kept-answer.ts";
import type { CallKey } from "../spec-store.ts";

/** An answer as it is stored. */
export interface StoredAnswer {
  readonly name: string;
  readonly at: number;
  readonly text: string;
}

/** What a call with this key was answered before; undefined where it was not. */
export async function findAnswer<R>(
  queryable: Queryable,
  workspace: number,
  scope: string,
  key: CallKey,
  now: string,
) {
  const [row] = await queryable.query<{ readonly answer: string }>({
    name: "foundry_answer",
    text: "SELECT answer FROM foundry.answer WHERE workspace = $1 AND scope = $2 AND name = $3",
    values: [workspace, scope, toAnswerName(key)],
  });
  return answerAgain<R>(key, row && (JSON.parse(row.answer) as KeptAnswer), now);
}

/** An answer as it is stored. */
export function toAnswer(
  key: CallKey,
  at: string,
  revision: string,
  result: unknown,
  warnings: readonly string[],
): StoredAnswer {
  const kept: KeptAnswer = { fingerprint: key.fingerprint, at, revision, result, warnings };
  return { name: toAnswerName(key), at: Date.parse(at), text: JSON.stringify(kept) };
}
