import { requestIdPattern } from "@foundry-mcp/contract";

/** The id of a call, and what the caller wanted to call it where that could not be used. */
export interface RequestIds {
  readonly requestId: string;
  readonly clientRequestId?: string;
}

const longestKept = 256;

/** The caller's id where it has the form of one, else a new one beside it. */
export function resolveRequestId(given: unknown): RequestIds {
  if (typeof given === "string" && requestIdPattern.test(given)) return { requestId: given };
  const requestId = createRequestId();
  const isText = typeof given === "string" || typeof given === "number";
  return isText ? { requestId, clientRequestId: String(given).slice(0, longestKept) } : { requestId };
}

/**
 * A new id: `req_` and 12 hex digits. It names a call in logs and keeps no secret, so that it need not be hard to
 * guess: loading what makes such numbers would take a tenth of the time of a command.
 */
export function createRequestId(): string {
  return `req_${Math.floor(Math.random() * 2 ** 48)
    .toString(16)
    .padStart(12, "0")}`;
}
