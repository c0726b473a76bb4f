import { requestIdPattern } from "@foundry-mcp/contract";

/** The id of a call, with the id that the caller sent if that one is invalid. */
export interface RequestIds {
  readonly requestId: string;
  readonly clientRequestId?: string;
}

const maxClientIdLength = 256;

/** Returns the caller's id if it is valid, else a new one together with it. */
export function resolveRequestId(given: unknown): RequestIds {
  if (typeof given === "string" && requestIdPattern.test(given)) return { requestId: given };
  const requestId = createRequestId();
  const isText = typeof given === "string" || typeof given === "number";
  return isText ? { requestId, clientRequestId: String(given).slice(0, maxClientIdLength) } : { requestId };
}

/**
 * Creates a request id: `req_` and 12 hex digits. It identifies a call in logs and is no secret, so that
 * Math.random is enough: loading node:crypto would take a tenth of the time of a command.
 */
export function createRequestId(): string {
  return `req_${Math.floor(Math.random() * 2 ** 48)
    .toString(16)
    .padStart(12, "0")}`;
}
