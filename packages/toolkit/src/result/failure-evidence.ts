import type { ErrorCode, UnknownRecord } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";
import { codeOfName, codeOfRpcNumber, codeOfStatus } from "./status-codes.ts";

/** The facts in a payload about the reason of a failure. */
export interface Evidence {
  readonly code?: ErrorCode | undefined;
  /** The HTTP status in the payload. */
  readonly status?: number | undefined;
  /** The error code that the server sent, if the code is not an error code of the contract. */
  readonly upstreamCode?: string | number | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly message?: string | undefined;
}

const numberKeys = ["status", "statusCode", "status_code", "httpStatus", "http_status", "code"];
const nameKeys = ["error_code", "errorCode", "code", "type", "status", "reason", "name", "kind", "error"];
const ownCodeKeys = ["error_code", "errorCode", "code"];
const delayKeys = ["retry_after_seconds", "retryAfterSeconds", "retry_after", "retryAfter"];
const messageKeys = ["message", "error", "detail", "error_description", "description", "title", "reason"];

/**
 * Reads the evidence in the payload of another server's failure. The members of the payload take precedence over
 * the members of nested errors.
 */
export function readEvidence(answer: UnknownRecord): Evidence {
  const objects = [answer, ...["error", "errors", "response", "data"].flatMap((key) => answer[key])].filter(
    isRecord,
  );
  const read = <T>(keys: readonly string[], pick: (value: unknown) => T | undefined): T | undefined => {
    for (const object of objects) {
      for (const key of keys) {
        const picked = Object.hasOwn(object, key) ? pick(object[key]) : undefined;
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

/** Returns the HTTP status of a failure, from a number or a string. */
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

/** An error code suggested by the text of a failure. */
export interface WordingMatch {
  readonly code: ErrorCode;
  /** True for an error code that only words suggest; false for a code from a number in a fixed format. */
  readonly guessed: boolean;
}

/**
 * The maximum number of characters that are read from the start of a text. The text after these characters is
 * usually output of a program and not the reason of the failure.
 */
const maxReadLength = 500;

/**
 * Patterns and the error codes that they suggest; the first matching pattern is used, so specific patterns
 * precede general patterns.
 */
const wordings: readonly (readonly [RegExp, ErrorCode])[] = [
  [/rate.?limit|too many requests|quota (was |is )?exceeded|throttl/i, "RATE_LIMIT_EXCEEDED"],
  [/tim(ed|e) ?out\b|deadline exceeded|\bETIMEDOUT\b/i, "TIMEOUT"],
  [
    /unauthori[sz]ed|unauthenticated|authentication (failed|required|error)|(invalid|expired|missing) (api key|access token|token|credentials)|not logged in/i,
    "UNAUTHORIZED",
  ],
  [
    /forbidden|(permission|access) (was |is )?denied|not (allowed|permitted|authorized)|(insufficient|missing|lacks?) (permission|scope|privilege)|\bE(ACCES|PERM)\b/i,
    "FORBIDDEN",
  ],
  [/already exists|duplicate (key|entry)|\bEEXIST\b/i, "DUPLICATE_ENTRY"],
  [/ECONN(REFUSED|RESET)|ENOTFOUND|connection (was )?(refused|reset)|unreachable/i, "DEPENDENCY_UNAVAILABLE"],
  [
    /not found|no such|(does not|doesn't) exist|(cannot|can't|could not|couldn't) find|unknown (tool|resource)|\bENOENT\b/i,
    "NOT_FOUND",
  ],
  [/not (yet )?(implemented|supported)|unsupported/i, "NOT_IMPLEMENTED"],
  [/(missing|required) (required )?(argument|parameter|field|property)|\bis required\b/i, "MISSING_REQUIRED"],
  [
    /(input )?validation (error|failed)|invalid (argument|parameter|param|input|value|request)/i,
    "VALIDATION_ERROR",
  ],
  [/too large|too long|exceeds the (maximum|limit)/i, "CONTENT_TOO_LARGE"],
  [/\bconflicts?\b/i, "CONFLICT"],
  [/(call|request|operation|task) (was |has been )?cancell?ed/i, "CANCELLED"],
  [/\b(is|are) (busy|locked)\b|overloaded/i, "RESOURCE_BUSY"],
  [/unavailable|try again later/i, "UNAVAILABLE"],
];

/** Finds the error code that a text suggests; undefined if the text suggests none. */
export function readWording(text: string): WordingMatch | undefined {
  const head = text.slice(0, maxReadLength);
  // SDK 1.x writes protocol errors as text in this form; the code -32603 is too unspecific to be used.
  const rpc = /\bMCP error (-32\d{3})\b/.exec(head);
  const known = rpc === null ? undefined : codeOfRpcNumber(Number(rpc[1]));
  if (known !== undefined) return { code: known, guessed: false };
  const status = /\b(?:HTTP|status)(?: status| error)?(?: code)?[ :=(/]+(?:1\.1 |2 )?([45]\d\d)\b/i.exec(
    head,
  );
  const code = status === null ? undefined : codeOfStatus(Number(status[1]));
  if (code !== undefined) return { code, guessed: true };
  const wording = wordings.find(([pattern]) => pattern.test(head));
  return wording === undefined ? undefined : { code: wording[1], guessed: true };
}

/** Reads the number of seconds that a text asks the caller to wait. */
export function readDelay(text: string): number | undefined {
  const found = /\b(?:retry|try again|wait)(?: after| in| for)? (\d{1,6})\s*s(?:ec|econds?)?\b/i.exec(
    text.slice(0, maxReadLength),
  );
  return found === null ? undefined : Number(found[1]);
}
