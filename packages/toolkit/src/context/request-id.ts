import { requestIdPattern } from "@foundry-mcp/contract";

/** The id of a call. If the caller sent an invalid id, also that invalid id. */
export interface RequestIds {
  readonly requestId: string;
  readonly clientRequestId?: string;
}

const maxClientIdLength = 256;

/** Returns the caller's id if it is valid, otherwise a new id together with the invalid id of the caller. */
export function resolveRequestId(given: unknown): RequestIds {
  if (typeof given === "string" && requestIdPattern.test(given)) return { requestId: given };
  const requestId = createRequestId();
  const isText = typeof given === "string" || typeof given === "number";
  return isText ? { requestId, clientRequestId: String(given).slice(0, maxClientIdLength) } : { requestId };
}

/**
 * Creates a request id: `req_` and 12 hex digits. Math.random is sufficient, because the id only identifies a
 * call in logs and is not secret. Loading node:crypto would take a tenth of the time of a command.
 */
export function createRequestId(): string {
  return `req_${Math.floor(Math.random() * 2 ** 48)
    .toString(16)
    .padStart(12, "0")}`;
}
