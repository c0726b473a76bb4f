import { silentLogger } from "../context/logger.ts";
import { databaseErrorCode } from "./circuit-breaker.ts";
import type { PostgresCounts } from "./postgres-counter.ts";

const minute = 60_000;
/** The maximum number of rows that one statement deletes, to stay within any statement timeout. */
const batch = 5_000;

/**
 * Creates the function that deletes expired rows, at most once a minute. The function is called whenever a call is
 * counted, so that no timer has to be closed. Servers that sweep at the same time share the work.
 */
export function createSweep({ client, logger = silentLogger, schema, table }: PostgresCounts): () => void {
  const target = schema === undefined ? `"${table}"` : `"${schema}"."${table}"`;
  const text = `
    WITH expired AS MATERIALIZED (
      SELECT key FROM ${target} WHERE expire < $1 LIMIT ${batch} FOR UPDATE SKIP LOCKED
    ), gone AS (
      DELETE FROM ${target} USING expired WHERE ${target}.key = expired.key RETURNING 1
    ) SELECT count(*)::integer AS gone FROM gone`;
  let sweptAt = Number.NEGATIVE_INFINITY;
  let isRunning = false;

  const sweep = async (): Promise<void> => {
    // A row is deleted a minute after its period ends, because the clocks of servers differ.
    const values = [Date.now() - minute];
    for (let gone = batch; gone === batch; ) {
      const { rows } = await client.query({ text, values });
      gone = (rows[0] as { readonly gone: number }).gone;
    }
  };
  return () => {
    if (isRunning || performance.now() - sweptAt < minute) return;
    isRunning = true;
    sweptAt = performance.now();
    sweep()
      .catch((cause: unknown) => {
        logger.warn(
          { code: databaseErrorCode(cause) },
          "rate limits: rows that are over could not be cleared",
        );
      })
      .finally(() => {
        isRunning = false;
      });
  };
}
