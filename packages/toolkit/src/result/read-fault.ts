import type { UnknownRecord } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";
import { toMessage, withoutPaths } from "./foreign-text.ts";
import { codeOfRpcNumber, codeOfStatus } from "./status-codes.ts";
import { type Fault, findFault } from "./thrown-faults.ts";

/** The fault that is assumed for a thrown value that matches no known error. */
export const unknownFault: Fault = {
  errorCode: "UPSTREAM_ERROR",
  message: "The call failed for a reason that is not known",
  mayHaveRun: true,
};

/**
 * Returns the error and at most four of its causes, outermost first; the limit prevents an endless loop if
 * the causes form a cycle.
 */
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
  // Of all causes that are known, the innermost cause describes the fault most precisely.
  const found = causesOf(thrown)
    .map(readLink)
    .filter((fault) => fault !== undefined);
  return found.at(-1) ?? unknownFault;
}

function readLink(link: UnknownRecord): Fault | undefined {
  const { code, data, name, message, status = isRecord(data) ? data["status"] : undefined } = link;
  if (isRpcError(link)) return readRpcError(Number(code), typeof message === "string" ? message : "", status);
  for (const number of [status, code]) {
    const fault = typeof number === "number" ? readStatus(number) : undefined;
    if (fault !== undefined) return fault;
  }
  if (code === "UNSUPPORTED_RESULT_TYPE") return notComplete(data);
  if (code === "ERA_NEGOTIATION_FAILED" && /did not offer|supports no/.test(String(message)))
    return { errorCode: "NOT_IMPLEMENTED", message: "The server does not offer the wanted protocol version" };
  // The function `fetch` throws the following errors without a code.
  if (message === "unexpected redirect" || message === "redirect count exceeded")
    return { errorCode: "UPSTREAM_ERROR", message: "The server sends its callers to another address" };
  if (message === "bad port")
    return { errorCode: "DEPENDENCY_UNAVAILABLE", message: badPort, details: { reason: "BAD_PORT" } };
  if (name === "TypeError" && message === "fetch failed")
    return { errorCode: "UNAVAILABLE", message: "The server cannot be reached", mayHaveRun: true };
  // SDK 2 throws a plain Error with this message if nothing was sent.
  if (message === "Not connected") return findFault("NOT_CONNECTED");
  const identifiers = [code, name].filter((each) => typeof each === "string");
  const fault = identifiers.map(findFault).find((each) => each !== undefined);
  // The numeric code is checked last, because the numeric code of an AbortError is not a JSON-RPC code.
  if (fault !== undefined || typeof code !== "number") return fault;
  return readRpc(code, typeof message === "string" ? message : "");
}

/** The name of the errors that SDK 2 creates for JSON-RPC errors of a server. */
export const rpcErrorName = "ProtocolError";
const rpcErrorNames: readonly unknown[] = [rpcErrorName, "McpError"];

/** True for a JSON-RPC error that the server itself sent, so that its numbers are no statuses of an HTTP answer. */
function isRpcError({ name, code }: UnknownRecord): boolean {
  return rpcErrorNames.includes(name) && typeof code === "number";
}

/** Classifies a JSON-RPC error; a number in it that is an HTTP status is evidence, but the message stays the server's. */
function readRpcError(number: number, message: string, status: unknown): Fault {
  const fault = readRpc(number, message);
  if (fault.errorCode !== "UPSTREAM_ERROR") return fault;
  const found = [status, number].find((each) => typeof each === "number" && codeOfStatus(each) !== undefined);
  const errorCode = typeof found === "number" ? codeOfStatus(found) : undefined;
  if (errorCode === undefined) return fault;
  const mayHaveRun = Number(found) >= 500 && found !== 501;
  return { ...fault, errorCode, mayHaveRun, details: { ...fault.details, status: found } };
}

function readStatus(status: number): Fault | undefined {
  const code = codeOfStatus(status);
  if (code === undefined) return undefined;
  // A proxy may have sent any other 5xx status, so such a status does not prove that the server itself
  // answered.
  const errorCode = code === "UPSTREAM_ERROR" ? "UNAVAILABLE" : code;
  const message = `The server answered with HTTP status ${status}`;
  return { errorCode, message, mayHaveRun: status >= 500 && status !== 501, details: { status } };
}

function readRpc(number: number, message: string): Fault {
  const text = message.replace(/^(MCP error -?\d+: )+/, "");
  // SDK 1.x reports a lost connection with this code and text; other SDKs use -32000 for any failure.
  if (number === -32_000 && /connection closed/i.test(text))
    return findFault("CONNECTION_CLOSED") ?? unknownFault;
  // If a server's own result is invalid, some SDKs report invalid parameters.
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

const badPort = "The port is reserved for other protocols, so HTTP clients refuse to connect";

/**
 * The maximum number of characters that are read from a text; higher than the maximum length of a message, so the
 * limit never shortens a message.
 */
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
