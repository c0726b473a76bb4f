import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Writes the HTTP response to a call of the tool. */
export type AnswerCall = (id: number, response: ServerResponse) => void;

/** Sends a JSON-RPC result. */
export function sendResult(id: number, response: ServerResponse, result: object): void {
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
}

/** An HTTP server that can be stopped. */
export interface HttpUpstream {
  readonly url: string;
  stop(): Promise<void>;
}

async function listen(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  wantedPort = 0,
): Promise<HttpUpstream> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(wantedPort, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Starts a server that sends the same response to every request. */
export function startPlainUpstream(answer: (response: ServerResponse) => void): Promise<HttpUpstream> {
  return listen((_request, response) => answer(response));
}

/**
 * Starts an MCP server of protocol version 2025-06-18 over HTTP, with the tool "call". The headers of each request are
 * added to `requests`.
 */
export async function startHttpUpstream(
  answerCall: AnswerCall,
  requests: IncomingMessage["headers"][] = [],
  port = 0,
): Promise<HttpUpstream & { forgetSessions(): void }> {
  let session = randomUUID();
  const upstream = await listen(async (request, response) => {
    requests.push(request.headers);
    if (request.method !== "POST") return void response.writeHead(405).end();
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const { id, method } = JSON.parse(body) as { readonly id?: number; readonly method: string };
    if (id === undefined) return void response.writeHead(202).end();
    const { "mcp-session-id": given } = request.headers;
    if (method !== "initialize" && given !== session) return void response.writeHead(404).end();
    response.setHeader("Mcp-Session-Id", session);
    if (method === "initialize") {
      const serverInfo = { name: "http", version: "1.0.0" };
      return sendResult(id, response, {
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo,
      });
    }
    if (method === "tools/list") {
      const tool = { name: "call", inputSchema: { type: "object" }, annotations: { readOnlyHint: false } };
      return sendResult(id, response, { tools: [tool] });
    }
    if (method === "tools/call") return answerCall(id, response);
    response.setHeader("Content-Type", "application/json");
    response.end(
      JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } }),
    );
  }, port);
  const forgetSessions = () => {
    session = randomUUID();
  };
  return { ...upstream, forgetSessions };
}
