import { type Logger, silentLogger } from "../context/logger.ts";
import type { PostgresClient, PostgresCounts } from "./postgres-counter.ts";

/** How long the circuit stays open after a failure; then one call tries the database again. */
const openMs = 1_000;

/**
 * Wraps a database client in a circuit breaker: after a failure or a timeout, calls fail at once. A database that is
 * down, hangs or has no free connection then costs only one call per second its timeout.
 */
export function createCircuitBreaker(counts: PostgresCounts): PostgresClient {
  const { client, timeoutMs = 1_000, logger = silentLogger } = counts;
  /** When the database may be tried again; undefined while the circuit is closed. */
  let openUntil: number | undefined;

  const open = (cause: unknown): void => {
    if (openUntil === undefined) logFailure(logger, cause);
    openUntil = performance.now() + openMs;
  };
  const close = (): void => {
    if (openUntil === undefined) return;
    openUntil = undefined;
    logger.info({}, "rate limits: the database counts again");
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
        // Without the statement name of the library: it is the same for another text in another schema,
        // and connection poolers support no named statements.
        const result = await withTimeout(timeoutMs, client.query({ text, values }));
        const rows = [parseCount(result)];
        // A call that began before the failure does not prove that it is over.
        if (isTrial) close();
        return { rows };
      } catch (cause) {
        open(cause);
        throw cause;
      }
    },
  };
}

/** Logs the code alone: messages of a database may hold hosts and names. */
function logFailure(logger: Logger, cause: unknown): void {
  logger.warn(
    { code: databaseErrorCode(cause) },
    "rate limits: the database cannot count; each process counts for itself until it can",
  );
}

/** The code of a database error, such as `57P01` or `ECONNREFUSED`; nothing that could hold a secret. */
export function databaseErrorCode(thrown: unknown): string {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  return typeof code === "string" && /^\w{1,40}$/.test(code) ? code : "UNKNOWN";
}

function withCode(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** Stops waiting, not the work: a call that is counted late is counted all the same. */
async function withTimeout<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(withCode("TIMEOUT", "The database took too long")), milliseconds);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/** Parses a count, which drivers return as numbers, strings or bigints; the library does not check it. */
function parseCount(result: { readonly rows: readonly unknown[] }): { points: number; expire: number } {
  const row = result?.rows?.[0] as Readonly<Record<string, unknown>> | undefined;
  const [points, expire] = [row?.["points"], row?.["expire"]].map((value) => Number(value ?? Number.NaN));
  if (Number.isSafeInteger(points) && Number.isSafeInteger(expire)) {
    return { points: Number(points), expire: Number(expire) };
  }
  throw withCode("UNREADABLE", "The database gave no count");
}
