import type { UnknownRecord } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";
import { toMessage, withoutPaths } from "./foreign-text.ts";
import { codeOfRpcNumber, codeOfStatus } from "./status-codes.ts";
import { type Fault, findFault } from "./thrown-faults.ts";

/** The fault of a thrown value that matches nothing known. */
export const unknownFault: Fault = {
  errorCode: "UPSTREAM_ERROR",
  message: "The call failed for a reason that is not known",
  mayHaveRun: true,
};

/** Returns the error and its causes, outermost first, and stops at a cycle. */
export function causesOf(thrown: unknown): UnknownRecord[] {
  const chain: UnknownRecord[] = [];
  for (let link = thrown; isRecord(link) && chain.length < 5; ) {
    chain.push(link);
    const { cause, data } = link;
    link = cause ?? (isRecord(data) ? data["cause"] : undefined);
  }
  return chain;
}

/** Classifies a thrown value by its numbers, codes and names. */
export function readFault(thrown: unknown): Fault {
  // The innermost cause that is known is the most precise.
  const found = causesOf(thrown)
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
  // fetch gives these errors no code.
  if (message === "unexpected redirect" || message === "redirect count exceeded")
    return { errorCode: "UPSTREAM_ERROR", message: "The server sends its callers to another address" };
  if (message === "bad port")
    return { errorCode: "DEPENDENCY_UNAVAILABLE", message: badPort, details: { reason: "BAD_PORT" } };
  if (name === "TypeError" && message === "fetch failed")
    return { errorCode: "UNAVAILABLE", message: "The server cannot be reached", mayHaveRun: true };
  // SDK 2 throws a plain Error here; nothing was sent.
  if (message === "Not connected") return findFault("NOT_CONNECTED");
  const identifiers = [code, name].filter((each) => typeof each === "string");
  const fault = identifiers.map(findFault).find((each) => each !== undefined);
  // Checked last, since the numeric code of an AbortError is not one of JSON-RPC.
  if (fault !== undefined || typeof code !== "number") return fault;
  return readRpc(code, typeof message === "string" ? message : "");
}

function readStatus(status: number): Fault | undefined {
  const code = codeOfStatus(status);
  if (code === undefined) return undefined;
  // Any other 5xx may come from a proxy, so it does not mean that the server answered.
  const errorCode = code === "UPSTREAM_ERROR" ? "UNAVAILABLE" : code;
  const message = `The server answered with HTTP status ${status}`;
  return { errorCode, message, mayHaveRun: status >= 500 && status !== 501, details: { status } };
}

function readRpc(number: number, message: string): Fault {
  const text = message.replace(/^(MCP error -?\d+: )+/, "");
  // SDK 1.x reports a lost connection this way; others use -32000 for any failure.
  if (number === -32_000 && /connection closed/i.test(text))
    return findFault("CONNECTION_CLOSED") ?? unknownFault;
  // Some SDKs report their own invalid result as invalid parameters.
  const errorCode = invalidResult.test(text) ? undefined : codeOfRpcNumber(number);
  return {
    errorCode: errorCode ?? "UPSTREAM_ERROR",
    message: toMessage(
      withoutPaths(text.slice(0, maxReadLength)),
      `The server answered with error ${number}`,
    ),
    mayHaveRun: errorCode === undefined || errorCode === "TIMEOUT",
    details: { rpc_code: number },
  };
}

const badPort = "The port is one that is kept for other protocols, which no HTTP client asks";

/** Longer than a message may be, so that this limit never shows. */
const maxReadLength = 5_000;

const invalidResult =
  /^(Invalid tools\/call result|Structured content does not match|Output validation error|Tool \S+ has an output schema)/;

function notComplete(data: unknown): Fault {
  const type = isRecord(data) ? String(data["resultType"]).slice(0, 100).toWellFormed() : "unknown";
  return {
    errorCode: "NOT_IMPLEMENTED",
    message: `The answer is not complete: its result type is "${type}", wanted "complete"`,
    details: { result_type: type },
  };
}
