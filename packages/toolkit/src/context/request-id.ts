import { randomFillSync } from "node:crypto";
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

const digitsPerId = 12;
/** Random bytes are asked for by the thousand: one request for six of them costs as much. */
const pool = Buffer.alloc((digitsPerId / 2) * 512);
let digits = "";
let used = 0;

/** A new id: `req_` and 12 hex digits. */
export function createRequestId(): string {
  if (used === digits.length) {
    digits = randomFillSync(pool).toString("hex");
    used = 0;
  }
  used += digitsPerId;
  return `req_${digits.slice(used - digitsPerId, used)}`;
}
