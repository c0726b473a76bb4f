import { errorResponse, isRecord } from "@foundry-mcp/contract";
import { JsonDepthError, parseJsonText } from "@foundry-mcp/contract/input";
import type { JSONRPCMessage } from "@modelcontextprotocol/client";

/** The number of characters at each end of a line that is not JSON in which the id of a reply is looked for. */
const maxSearched = 1_000;
/** The code of JSON-RPC for an internal error; the failure in the error's data is what callers read. */
const internalError = -32_603;

/**
 * Recognizes replies that are no JSON-RPC results, such as `"result": null` or a line that is not JSON. Without this
 * class, the request of such a reply would wait until its timeout, although its answer has arrived.
 */
export class BrokenReplies {
  /** The methods of the requests that have no reply yet, by id. */
  readonly #waiting = new Map<string | number, string>();

  /** Remembers a request that is sent, and forgets one that is cancelled. */
  expect(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    if ("id" in message) this.#waiting.set(message.id, message.method);
    else if (message.method === "notifications/cancelled") {
      const id = message.params?.["requestId"];
      if (typeof id === "string" || typeof id === "number") this.#waiting.delete(id);
    }
  }

  /** Forgets the request of a valid reply. */
  settle(message: JSONRPCMessage): void {
    if (!("method" in message) && message.id !== undefined) this.#waiting.delete(message.id);
  }

  /** Returns the error to deliver in place of a line that is no message, if the line is the reply to a request. */
  toFailure(line: string): JSONRPCMessage | undefined {
    const { id, why } = readBroken(line);
    const method = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || method === undefined) return undefined;
    this.#waiting.delete(id);
    const failure = errorResponse(`The server answered something that is no MCP message: ${why}`, {
      errorCode: "UPSTREAM_ERROR",
      ...(method === "tools/call" ? { details: { may_have_run: true } } : {}),
    });
    return { jsonrpc: "2.0", id, error: { code: internalError, message: failure.error, data: failure } };
  }
}

function readBroken(line: string): { readonly id: string | number | undefined; readonly why: string } {
  let value: unknown;
  try {
    value = parseJsonText(line);
  } catch (thrown) {
    const why = thrown instanceof JsonDepthError ? "it nests too deeply" : "it is not JSON";
    return { id: findId(line), why };
  }
  // A message with a method is a request or a notification of the server, whose id is not that of a reply.
  if (!isRecord(value) || "method" in value) return { id: undefined, why: "" };
  const { id, result, error } = value;
  const why =
    "error" in value
      ? `its error is ${describe(error)}`
      : "result" in value && !isRecord(result)
        ? `its result is ${describe(result)}`
        : "it is no JSON-RPC reply";
  return { id: typeof id === "string" || typeof id === "number" ? id : undefined, why };
}

/** Finds the id of a reply in a text that is not JSON: the id is usually at the beginning or at the end. */
function findId(line: string): string | number | undefined {
  if (!line.startsWith("{") || !line.includes('"jsonrpc"') || /^.{0,200}"method"\s*:/.test(line))
    return undefined;
  const [, number, text] =
    /"id"\s*:\s*(?:(\d{1,15})|"([^"\\]{1,100})")\s*[,}]/.exec(line.slice(0, maxSearched)) ??
    /"id"\s*:\s*(?:(\d{1,15})|"([^"\\]{1,100})")\s*\}\s*$/.exec(line.slice(-maxSearched)) ??
    [];
  return number === undefined ? text : Number(number);
}

function describe(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return isRecord(value) ? "an object of another form" : `a ${typeof value}`;
}
