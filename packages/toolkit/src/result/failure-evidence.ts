import type { ErrorCode, UnknownRecord } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";
import { codeOfName, codeOfRpcNumber, codeOfStatus } from "./status-codes.ts";

/** What an answer itself says about why it failed. */
export interface Evidence {
  readonly code?: ErrorCode | undefined;
  /** The HTTP status it names. */
  readonly status?: number | undefined;
  /** The server's own error code, where it is none of ours. */
  readonly upstreamCode?: string | number | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly message?: string | undefined;
}

const numberKeys = ["status", "statusCode", "status_code", "httpStatus", "http_status", "code"];
const nameKeys = ["error_code", "errorCode", "code", "type", "status", "reason", "name", "kind", "error"];
const ownCodeKeys = ["error_code", "errorCode", "code"];
const delayKeys = ["retry_after_seconds", "retryAfterSeconds", "retry_after", "retryAfter"];
const messageKeys = ["message", "error", "detail", "error_description", "description", "title", "reason"];

/** Reads the evidence in a foreign failure: its members first, then those of the error inside it. */
export function readEvidence(answer: UnknownRecord): Evidence {
  const places = [answer, ...["error", "errors", "response", "data"].flatMap((key) => answer[key])].filter(
    isRecord,
  );
  const read = <T>(keys: readonly string[], pick: (value: unknown) => T | undefined): T | undefined => {
    for (const place of places) {
      for (const key of keys) {
        const picked = Object.hasOwn(place, key) ? pick(place[key]) : undefined;
        if (picked !== undefined) return picked;
      }
    }
    return undefined;
  };
  const status = read(numberKeys, toStatus);
  const named = read(nameKeys, (value) => (typeof value === "string" ? codeOfName(value) : undefined));
  const rpc = read(["code"], (value) => (typeof value === "number" ? codeOfRpcNumber(value) : undefined));
  const ownCode = read(ownCodeKeys, toOwnCode);
  return {
    code: (status === undefined ? undefined : codeOfStatus(status)) ?? named ?? rpc,
    status,
    upstreamCode: ownCode === status || ownCode === named ? undefined : ownCode,
    retryAfterSeconds: read(delayKeys, toSeconds),
    message: read(messageKeys, (value) =>
      typeof value === "string" && value.trim() !== "" ? value : undefined,
    ),
  };
}

/** An HTTP status of a failure, also one written as a text. */
function toStatus(value: unknown): number | undefined {
  const number = typeof value === "string" && /^[45]\d\d$/.test(value) ? Number(value) : value;
  return typeof number === "number" && codeOfStatus(number) !== undefined ? number : undefined;
}

function toSeconds(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof number === "number" && number >= 0 && Number.isFinite(number) ? number : undefined;
}

function toOwnCode(value: unknown): string | number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" && value !== "" && value.length <= 100 ? value : undefined;
}
