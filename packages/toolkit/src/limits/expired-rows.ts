import { silentLogger } from "../context/logger.ts";
import { databaseErrorCode } from "./error-code.ts";
import type { PostgresCounts } from "./postgres-counts.ts";

const minute = 60_000;
/** Rows of one statement: few enough for any time-out. */
const batch = 5_000;

/**
 * Creates what clears the table of rows whose period is over, once in a minute, when a call is counted. There
 * is no timer that would have to be closed. Servers that clear at the same time share the work.
 */
export function createSweep({ client, logger = silentLogger, ...counts }: PostgresCounts): () => void {
  const table = toIdentifier(counts);
  const text = `
    WITH expired AS MATERIALIZED (
      SELECT key FROM ${table} WHERE expire < $1 LIMIT ${batch} FOR UPDATE SKIP LOCKED
    ), gone AS (
      DELETE FROM ${table} USING expired WHERE ${table}.key = expired.key RETURNING 1
    ) SELECT count(*)::integer AS gone FROM gone`;
  let sweptAt = Number.NEGATIVE_INFINITY;
  let isRunning = false;

  const sweep = async (): Promise<void> => {
    // A minute more than is over: the clocks of servers differ.
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

function toIdentifier({ schema, table }: Pick<PostgresCounts, "schema" | "table">): string {
  return schema === undefined ? `"${table}"` : `"${schema}"."${table}"`;
}
