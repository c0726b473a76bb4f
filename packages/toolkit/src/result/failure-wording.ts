import type { ErrorCode } from "@foundry-mcp/contract";
import { codeOfRpcNumber, codeOfStatus } from "./status-codes.ts";

/** What the words of a failure let one think it is. */
export interface Reading {
  readonly code: ErrorCode;
  /** False for a number in a fixed form; true for what words alone suggest. */
  readonly guessed: boolean;
}

/** The words that decide stand at the beginning; further down is output, not a reason. */
const longestRead = 500;

/** First match wins, so the narrow stand before the wide. */
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

/** Reads a failure's text; undefined where it gives no hint. */
export function readWording(text: string): Reading | undefined {
  const head = text.slice(0, longestRead);
  // The form in which SDK 1.x writes a protocol error into a text; -32603 there says nothing.
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

/** The seconds that a text asks to wait for. */
export function readDelay(text: string): number | undefined {
  const found = /\b(?:retry|try again|wait)(?: after| in| for)? (\d{1,6})\s*s(?:ec|econds?)?\b/i.exec(
    text.slice(0, longestRead),
  );
  return found === null ? undefined : Number(found[1]);
}
