import { createInterface } from "node:readline";

/** The only tool of a server that is hostile elsewhere: it reads a note, and says so. */
export const note = {
  name: "note",
  description: "Reads a note",
  inputSchema: {
    type: "object",
    properties: { id: { type: "string", enum: ["first"] } },
    required: ["id"],
    additionalProperties: false,
  },
  outputSchema: { type: "object" },
  annotations: { readOnlyHint: true },
};

/** Writes to stdout, as it is. */
export const write = (text) => process.stdout.write(text);

/** Sends a message of the protocol. */
export const send = (message) => write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

/** A tool result with the same envelope in both channels. */
export function toResult(envelope) {
  return {
    content: [{ type: "text", text: JSON.stringify(envelope) }],
    structuredContent: envelope,
    isError: !envelope.success,
  };
}

/** A success of the contract. */
export function success(data, requestId) {
  return { success: true, data, error: null, meta: { version: "response-v2", request_id: requestId } };
}

/** A failure of the contract. */
export function failure(error, requestId, more = {}) {
  const data = { error_code: "VALIDATION_ERROR", error_type: "validation", remediation: "Send id.", ...more };
  return { success: false, data, error, meta: { version: "response-v2", request_id: requestId } };
}

/** Refuses a tool that there is not, as the protocol wants it. */
export const refuseTool = (id) => send({ id, error: { code: -32602, message: "Unknown tool" } });

/** Takes over the calls of the tool that there is; what it returns is sent, and undefined is no answer. */
export function serveCalls(handle, more = {}) {
  const call = (message) => {
    const result = answerNote(message.params);
    return result === undefined ? void refuseTool(message.id) : handle(message, result);
  };
  serve({ ...more, on: { "tools/call": call } });
}

/** What the good half of every server here answers to a call. */
export function answerNote({ name, arguments: args = {}, _meta: meta }) {
  const requestId = meta?.["foundry-mcp/request_id"];
  if (name !== "note") return undefined;
  const isGood = args.id === "first" && Object.keys(args).length === 1;
  return toResult(isGood ? success({ id: "first", text: "Hello" }, requestId) : failure("Bad id", requestId));
}

/**
 * Serves MCP over stdio by hand. `on` takes over methods by name: what it returns is the result, and
 * undefined is no answer. `tools` and `call` take over the list and the answers of calls.
 */
export function serve({ tools = [note], call = answerNote, on = {} } = {}) {
  const methods = {
    initialize: ({ params }) => ({
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "hostile", version: "1.0.0" },
    }),
    ping: () => ({}),
    "tools/list": () => ({ tools }),
    "tools/call": ({ id, params }) => {
      const result = call(params);
      if (result === undefined)
        send({ id, error: { code: -32602, message: `Unknown tool: ${params.name}` } });
      return result;
    },
    ...on,
  };
  createInterface({ input: process.stdin }).on("line", async (line) => {
    const message = JSON.parse(line);
    const { id, method } = message;
    const handle = methods[method];
    if (id === undefined) return;
    if (handle === undefined) return send({ id, error: { code: -32601, message: "Method not found" } });
    const result = await handle(message);
    if (result !== undefined) send({ id, result });
  });
}
