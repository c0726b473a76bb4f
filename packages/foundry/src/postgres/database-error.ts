import { isContractError, unavailable } from "@foundry-mcp/contract";
import { type ErrorMapping, findErrorMapping, unreachable, untrusted } from "./error-mappings.ts";

/**
 * The failure that callers see where the database failed. `deed` says what was to be done, such as `read the spec
 * "a"`. What the database itself says is kept to the log: it may hold addresses and values.
 */
export function toDatabaseError(err: unknown, deed: string): unknown {
  if (isContractError(err)) return err;
  const meaning = meaningOf(err);
  if (meaning === undefined) return err;
  const { errorCode, why, remediation, retryAfterSeconds } = meaning;
  const reason = sqlStateOf(err);
  return unavailable(`Cannot ${deed}: ${why}`, {
    errorCode,
    remediation,
    details: { dependency: "postgresql", ...(reason === "" ? {} : { reason }) },
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    cause: err,
  });
}

/** True for a failure after which the same may succeed at once or in a moment. */
export function isTransient(err: unknown): boolean {
  return isCollision(err) || isConnectionFailure(err);
}

/** True where the database gave up one of several that were in each other's way. */
function isCollision(err: unknown): boolean {
  return ["40001", "40P01"].includes(sqlStateOf(err));
}

/** True where another connection to the same address may fare better: it may reach another server, or a new session. */
function isOfConnection(err: unknown): boolean {
  return ["25006", "26000", "42P05"].includes(sqlStateOf(err));
}

/** True where the connection was lost, or none could be made. */
export function isConnectionFailure(err: unknown): boolean {
  return meaningOf(err) === unreachable || sqlStateOf(err) === "53300";
}

/** The code of a failure: five characters of SQL, or one of Node; empty where there is none. */
export function sqlStateOf(err: unknown): string {
  const { code } = (err ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : "";
}

/** An error that the database itself told leaves the connection as it was, unless it is the connection's own. */
export function isConnectionBroken(failure: unknown): boolean {
  if (failure === undefined || isContractError(failure)) return false;
  if (isOfConnection(failure)) return true;
  const { severity } = failure as { severity?: unknown };
  return failure instanceof Error && severity !== "ERROR" && !isOurs(failure);
}

/** What plans throw has nothing to do with the connection. */
function isOurs(failure: Error): boolean {
  return !("code" in failure) && !/timeout|terminated|connection|queryable/i.test(failure.message);
}

function meaningOf(err: unknown): ErrorMapping | undefined {
  if (isContractError(err)) return undefined;
  // A file of certificates that the address names, and no database.
  if ((err as NodeJS.ErrnoException | null)?.syscall === "open") return untrusted;
  const meaning = findErrorMapping(sqlStateOf(err), err instanceof Error ? err.message : "");
  // Several addresses of one name, and none of them answers.
  return meaning ?? (err instanceof AggregateError ? unreachable : undefined);
}
