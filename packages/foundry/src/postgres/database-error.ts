import { isContractError, unavailable } from "@foundry-mcp/contract";
import { type ErrorMapping, findErrorMapping, unreachable, untrusted } from "./error-mappings.ts";

/**
 * Converts a database error into a ContractError. Unknown errors are returned unchanged. `operation` completes
 * "Cannot …", such as `read the spec "a"`. The database's own message goes only to the log, because it may contain
 * addresses and values.
 */
export function toDatabaseError(err: unknown, operation: string): unknown {
  if (isContractError(err)) return err;
  const mapping = mappingOf(err);
  if (mapping === undefined) return err;
  const { errorCode, why, remediation, remedy, retryAfterSeconds } = mapping;
  const reason = sqlStateOf(err);
  return unavailable(`Cannot ${operation}: ${why}`, {
    errorCode,
    remediation,
    remedy,
    details: { dependency: "postgresql", ...(reason === "" ? {} : { reason }) },
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    cause: err,
  });
}

/** True for an error after which a retry may succeed. */
export function isTransient(err: unknown): boolean {
  return isConcurrencyFailure(err) || isConnectionFailure(err);
}

/** True for a serialization failure or a deadlock. */
function isConcurrencyFailure(err: unknown): boolean {
  return ["40001", "40P01"].includes(sqlStateOf(err));
}

/** True for an error that a new connection may avoid by reaching another server or starting a new session. */
function isSessionFailure(err: unknown): boolean {
  return ["25006", "26000", "42P05"].includes(sqlStateOf(err));
}

/** True if the connection was lost or could not be established. */
export function isConnectionFailure(err: unknown): boolean {
  return mappingOf(err) === unreachable || sqlStateOf(err) === "53300";
}

/** Returns the SQLSTATE or the Node error code of an error, or an empty text if the error has none. */
export function sqlStateOf(err: unknown): string {
  const { code } = (err ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : "";
}

/** True if a connection must not be reused after an error. A plain SQL error leaves the connection usable. */
export function isConnectionBroken(failure: unknown): boolean {
  if (failure === undefined || isContractError(failure)) return false;
  if (isSessionFailure(failure)) return true;
  const { severity } = failure as { severity?: unknown };
  return failure instanceof Error && severity !== "ERROR" && !isPlanError(failure);
}

/** True for an error thrown by a plan, which does not affect the connection. */
function isPlanError(failure: Error): boolean {
  return !("code" in failure) && !/timeout|terminated|connection|queryable/i.test(failure.message);
}

function mappingOf(err: unknown): ErrorMapping | undefined {
  if (isContractError(err)) return undefined;
  // A certificate file named in the address could not be opened.
  if ((err as NodeJS.ErrnoException | null)?.syscall === "open") return untrusted;
  const mapping = findErrorMapping(sqlStateOf(err), err instanceof Error ? err.message : "");
  // The host name has several addresses, and none of them responds.
  return mapping ?? (err instanceof AggregateError ? unreachable : undefined);
}
