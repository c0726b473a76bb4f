import { type Logger, silentLogger } from "../context/logger.ts";
import { databaseErrorCode, withCode } from "./error-code.ts";
import type { PostgresClient, PostgresCounts } from "./postgres-counts.ts";

/** After a failure the database is left alone for so long; then one call tries it again. */
const restMs = 1_000;

/**
 * Creates a client that soon says so where the database cannot count. A database that is away, hangs or has no
 * connection free costs one call in a while its patience; the others hear at once that they have to do without.
 */
export function createCircuitBreaker(counts: PostgresCounts): PostgresClient {
  const { client, timeoutMs = 1_000, logger = silentLogger } = counts;
  /** When the database may be tried again; undefined while it answers. */
  let restsUntil: number | undefined;

  const rest = (cause: unknown): void => {
    if (restsUntil === undefined) tellAway(logger, cause);
    restsUntil = performance.now() + restMs;
  };
  const goOn = (): void => {
    if (restsUntil === undefined) return;
    restsUntil = undefined;
    logger.info({}, "rate limits: the database counts again");
  };

  return {
    async query({ text, values }) {
      const isTrial = restsUntil !== undefined;
      if (restsUntil !== undefined) {
        if (performance.now() < restsUntil)
          throw withCode("AWAY", "The database could not count a moment ago");
        restsUntil = performance.now() + restMs;
      }
      try {
        // Without the name that the library gives it: the same name stands for another text in another schema,
        // and poolers between here and the database know no names.
        const answer = await within(timeoutMs, client.query({ text, values }));
        const rows = [toCount(answer)];
        // Only who asked since the failure knows that it is over.
        if (isTrial) goOn();
        return { rows };
      } catch (cause) {
        rest(cause);
        throw cause;
      }
    },
  };
}

/** Messages of a database may hold hosts and names: the code alone is told. */
function tellAway(logger: Logger, cause: unknown): void {
  logger.warn(
    { code: databaseErrorCode(cause) },
    "rate limits: the database cannot count; each process counts for itself until it can",
  );
}

/** Gives up the wait, not the work: a call that is counted late is counted all the same. */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(withCode("TIMEOUT", "The database took too long")), milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** The numbers of a count, which drivers give as numbers, texts or bigints; the library would let others pass. */
function toCount(answer: { readonly rows: readonly unknown[] }): { points: number; expire: number } {
  const row = answer?.rows?.[0] as Readonly<Record<string, unknown>> | undefined;
  const [points, expire] = [row?.["points"], row?.["expire"]].map((value) => Number(value ?? Number.NaN));
  if (Number.isSafeInteger(points) && Number.isSafeInteger(expire)) {
    return { points: Number(points), expire: Number(expire) };
  }
  throw withCode("UNREADABLE", "The database gave no count");
}
