import type { HttpApp } from "@foundry-mcp/toolkit/http";
import { toHeaderText } from "../toolkit/raw-rpc.ts";

/** An answer to a JSON-RPC request. */
export interface Answer {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A client of protocol version 2026-07-28 that sends each request independently. */
export interface TaskPeer {
  request(method: string, params: Readonly<Record<string, unknown>>): Promise<Answer>;
  /** Calls a tool. Returns the id of its task. */
  start(tool: string, args?: object): Promise<string>;
  /** Reads a task until its status is one of these. */
  until(taskId: string, ...wanted: readonly string[]): Promise<Readonly<Record<string, unknown>>>;
}

const tasks = { "io.modelcontextprotocol/tasks": {} };

/** The capabilities of a client that follows tasks and answers questions. */
export const offersAll = { elicitation: { form: {} }, sampling: {}, extensions: tasks };

/** Creates a client of an HTTP app. */
export function createTaskPeer(app: HttpApp, token?: string, capabilities: object = offersAll): TaskPeer {
  let lastId = 0;
  const request: TaskPeer["request"] = async (method, params) => {
    lastId += 1;
    const name = params["name"] ?? params["taskId"];
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "peer", version: "1.0.0" },
      "io.modelcontextprotocol/clientCapabilities": capabilities,
    };
    const response = await app.fetch(
      new Request("http://localhost/mcp", {
        method: "POST",
        headers: {
          host: "localhost",
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": method,
          ...(typeof name === "string" ? { "mcp-name": toHeaderText(name) } : {}),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: lastId, method, params: { ...params, _meta } }),
      }),
    );
    return response.json() as Promise<Answer>;
  };
  return {
    request,
    async start(tool, args = {}) {
      const { result, error } = await request("tools/call", { name: tool, arguments: args });
      if (result?.["resultType"] !== "task") throw new Error(`No task: ${JSON.stringify(result ?? error)}`);
      return String(result["taskId"]);
    },
    async until(taskId, ...wanted) {
      for (;;) {
        const { result, error } = await request("tasks/get", { taskId });
        if (result === undefined) throw new Error(JSON.stringify(error));
        if (wanted.includes(String(result["status"]))) return result;
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}
