import { type Logger, silentLogger } from "../context/logger.ts";
import type { PostgresClient, PostgresCounts } from "./postgres-counter.ts";

/**
 * The time for which the circuit stays open after a failure. After this time, one call tries the database
 * again.
 */
const openMs = 1_000;

/**
 * Wraps a database client in a circuit breaker: after a failure or a timeout, calls fail immediately. While the
 * database is down, hangs or has no free connection, only one call per second waits for the timeout.
 */
export function createCircuitBreaker(counts: PostgresCounts): PostgresClient {
  const { client, timeoutMs = 1_000, logger = silentLogger } = counts;
  /** The time from which the database may be tried again; undefined while the circuit is closed. */
  let openUntil: number | undefined;

  const open = (cause: unknown): void => {
    if (openUntil === undefined) logFailure(logger, cause);
    openUntil = performance.now() + openMs;
  };
  const close = (): void => {
    if (openUntil === undefined) return;
    openUntil = undefined;
    logger.info({}, "rate limits: the database is available again");
  };

  return {
    async query({ text, values }) {
      const isTrial = openUntil !== undefined;
      if (openUntil !== undefined) {
        if (performance.now() < openUntil)
          throw withCode("AWAY", "The database could not count a moment ago");
        openUntil = performance.now() + openMs;
      }
      try {
        // The name that the library gives a statement is dropped. Statements with different texts in
        // different schemas would have the same name, and connection poolers do not support named statements.
        const result = await withTimeout(timeoutMs, client.query({ text, values }));
        const rows = [parseCount(result)];
        // Only a trial call closes the circuit. The success of a call that began before the failure does not prove
        // that the database has recovered.
        if (isTrial) close();
        return { rows };
      } catch (cause) {
        open(cause);
        throw cause;
      }
    },
  };
}

/** Logs only the error code, because messages of a database may contain names of hosts, users and tables. */
function logFailure(logger: Logger, cause: unknown): void {
  logger.warn(
    { code: databaseErrorCode(cause) },
    "rate limits: the database is not available; until it is, each process counts its own calls",
  );
}

/**
 * Returns only the code of a database error, such as `57P01` or `ECONNREFUSED`, because other members could
 * contain a secret.
 */
export function databaseErrorCode(thrown: unknown): string {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  return typeof code === "string" && /^\w{1,40}$/.test(code) ? code : "UNKNOWN";
}

function withCode(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/**
 * Waits for work until the timeout. The work is not stopped then, so a count that reaches the database late
 * remains valid.
 */
async function withTimeout<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(withCode("TIMEOUT", "The database took too long")), milliseconds);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/** Parses a count, which drivers return as number, string or bigint and which the library does not check. */
function parseCount(result: { readonly rows: readonly unknown[] }): { points: number; expire: number } {
  const row = result?.rows?.[0] as Readonly<Record<string, unknown>> | undefined;
  const [points, expire] = [row?.["points"], row?.["expire"]].map((value) => Number(value ?? Number.NaN));
  if (Number.isSafeInteger(points) && Number.isSafeInteger(expire)) {
    return { points: Number(points), expire: Number(expire) };
  }
  throw withCode("UNREADABLE", "The database gave no count");
}
