import type { UnknownRecord } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";
import { toMessage, withoutPaths } from "./foreign-text.ts";
import { codeOfRpcNumber, codeOfStatus } from "./status-codes.ts";
import { type Fault, findFault } from "./thrown-faults.ts";

/** What is said of a thrown value that gives no hint. */
export const unknownFault: Fault = {
  errorCode: "UPSTREAM_ERROR",
  message: "The call failed for a reason that is not known",
  mayHaveRun: true,
};

/** The error and its causes, nearest first; a loop among them ends. */
export function linksOf(thrown: unknown): UnknownRecord[] {
  const links: UnknownRecord[] = [];
  for (let link = thrown; isRecord(link) && links.length < 5; ) {
    links.push(link);
    const { cause, data } = link;
    link = cause ?? (isRecord(data) ? data["cause"] : undefined);
  }
  return links;
}

/** What a thrown value is, as far as numbers, codes and names tell. */
export function readFault(thrown: unknown): Fault {
  // What lies beneath is more precise than what was made of it, unless it says nothing.
  const found = linksOf(thrown)
    .map(readLink)
    .filter((fault) => fault !== undefined);
  return found.at(-1) ?? unknownFault;
}

function readLink(link: UnknownRecord): Fault | undefined {
  const { code, data, name, message, status = isRecord(data) ? data["status"] : undefined } = link;
  for (const number of [status, code]) {
    const fault = typeof number === "number" ? readStatus(number) : undefined;
    if (fault !== undefined) return fault;
  }
  if (code === "UNSUPPORTED_RESULT_TYPE") return notComplete(data);
  if (code === "ERA_NEGOTIATION_FAILED" && /did not offer|supports no/.test(String(message)))
    return { errorCode: "NOT_IMPLEMENTED", message: "The server does not offer the wanted protocol version" };
  // fetch gives none of these a code.
  if (message === "unexpected redirect" || message === "redirect count exceeded")
    return { errorCode: "UPSTREAM_ERROR", message: "The server sends its callers to another address" };
  if (message === "bad port")
    return { errorCode: "DEPENDENCY_UNAVAILABLE", message: badPort, details: { reason: "BAD_PORT" } };
  if (name === "TypeError" && message === "fetch failed")
    return { errorCode: "UNAVAILABLE", message: "The server cannot be reached", mayHaveRun: true };
  // SDK 2 throws a bare error here; nothing was sent.
  if (message === "Not connected") return findFault("NOT_CONNECTED");
  const names = [code, name].filter((each) => typeof each === "string");
  const fault = names.map(findFault).find((each) => each !== undefined);
  // Last, because an AbortError has a number as well, and it is none of JSON-RPC.
  if (fault !== undefined || typeof code !== "number") return fault;
  return readRpc(code, typeof message === "string" ? message : "");
}

function readStatus(status: number): Fault | undefined {
  const code = codeOfStatus(status);
  if (code === undefined) return undefined;
  // Every other 5xx: whether the server itself failed or something before it, it did not answer.
  const errorCode = code === "UPSTREAM_ERROR" ? "UNAVAILABLE" : code;
  const message = `The server answered with HTTP status ${status}`;
  return { errorCode, message, mayHaveRun: status >= 500 && status !== 501, details: { status } };
}

function readRpc(number: number, message: string): Fault {
  const text = message.replace(/^(MCP error -?\d+: )+/, "");
  // SDK 1.x calls a lost connection so; to others -32000 is any failure of theirs.
  if (number === -32_000 && /connection closed/i.test(text))
    return findFault("CONNECTION_CLOSED") ?? unknownFault;
  // Some SDKs blame the parameters for a result of their own that breaks a schema.
  const errorCode = ownResult.test(text) ? undefined : codeOfRpcNumber(number);
  return {
    errorCode: errorCode ?? "UPSTREAM_ERROR",
    message: toMessage(withoutPaths(text.slice(0, longestRead)), `The server answered with error ${number}`),
    mayHaveRun: errorCode === undefined || errorCode === "TIMEOUT",
    details: { rpc_code: number },
  };
}

const badPort = "The port is one that is kept for other protocols, which no HTTP client asks";

/** More than a message may hold, so that cutting does not show. */
const longestRead = 5_000;

const ownResult =
  /^(Invalid tools\/call result|Structured content does not match|Output validation error|Tool \S+ has an output schema)/;

function notComplete(data: unknown): Fault {
  const type = isRecord(data) ? String(data["resultType"]).slice(0, 100).toWellFormed() : "unknown";
  return {
    errorCode: "NOT_IMPLEMENTED",
    message: `The answer is not complete: its result type is "${type}", wanted "complete"`,
    details: { result_type: type },
  };
}
