// A hostile server over HTTP on the loopback: `node http.mjs NAME`. It writes its port, and ends with its input.
import { createServer } from "node:http";
import { answerNote, note } from "./serve.mjs";

const json = { "content-type": "application/json" };
const stream = { "content-type": "text/event-stream" };
const megabyte = Buffer.alloc(2 ** 20, "x");

/** What a good server answers. */
function answer({ id, method, params }) {
  if (id === undefined) return undefined;
  if (method === "initialize") {
    const serverInfo = { name: "hostile", version: "1.0.0" };
    const result = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo };
    return { jsonrpc: "2.0", id, result };
  }
  if (method === "tools/list") return { jsonrpc: "2.0", id, result: { tools: [note] } };
  const result = method === "tools/call" ? answerNote(params) : undefined;
  if (result !== undefined) return { jsonrpc: "2.0", id, result };
  return {
    jsonrpc: "2.0",
    id,
    error: { code: method === "tools/call" ? -32602 : -32601, message: "Unknown" },
  };
}

function reply(response, message) {
  const sent = answer(message);
  if (sent === undefined) response.writeHead(202).end();
  else response.writeHead(200, json).end(JSON.stringify(sent));
}

/** Writes without end, as fast as it is read. */
function pour(response, chunk) {
  const more = () => {
    while (!response.destroyed && response.write(chunk));
    response.once("drain", more);
  };
  more();
}

/** Good until a tool is called. */
const atCalls = (handle) => (request, response, message) =>
  message.method === "tools/call" ? handle(response, message, request) : reply(response, message);

const servers = {
  "redirects-in-a-circle": (request, response) => response.writeHead(307, { location: request.url }).end(),
  "redirects-elsewhere": (_, response) => response.writeHead(307, { location: "file:///etc/hostname" }).end(),
  "closes-at-once": (request) => request.socket.destroy(),
  "status-500": (_, response) => response.writeHead(500).end("\u001b[2Joops"),
  "says-nothing": () => {},
  "other-content": (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>hi</p>"),
  "endless-body-at-start": (_, response) => pour(response.writeHead(200, json), megabyte),
  "closes-at-calls": atCalls((_, __, request) => request.socket.destroy()),
  "status-500-at-calls": atCalls((response) => response.writeHead(500).end()),
  "half-an-answer": atCalls((response) => {
    response.writeHead(200, { ...json, "content-length": "1000" }).write("{");
    setTimeout(() => response.destroy(), 50);
  }),
  "invalid-json-at-calls": atCalls((response) => response.writeHead(200, json).end("{")),
  "endless-body": atCalls((response) => pour(response.writeHead(200, json), megabyte)),
  "endless-event": atCalls((response) => {
    response.writeHead(200, stream).write("data: ");
    pour(response, megabyte);
  }),
  "endless-comments": atCalls((response) =>
    pour(response.writeHead(200, stream), ": still here\n\n".repeat(1_000)),
  ),
  "endless-notifications": atCalls((response) => {
    const line = JSON.stringify({
      jsonrpc: "2.0",
      method: "notifications/message",
      params: { level: "info", data: "x" },
    });
    pour(response.writeHead(200, stream), `data: ${line}\n\n`.repeat(500));
  }),
  "silent-stream": atCalls((response) => response.writeHead(200, stream).write(": waiting\n\n")),
  "stream-that-ends": atCalls((response) => response.writeHead(200, stream).end(": bye\n\n")),
};

const handle = servers[process.argv[2]];
if (handle === undefined) throw new Error(`There is no hostile server "${process.argv[2]}"`);
const server = createServer((request, response) => {
  response.on("error", () => {});
  let body = "";
  request.setEncoding("utf8").on("data", (chunk) => {
    body += chunk;
  });
  request.on("end", () => {
    // No stream from the server, and no sessions to end.
    if (request.method !== "POST") return response.writeHead(405).end();
    handle(request, response, JSON.parse(body));
  });
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
process.stdin.resume().on("end", () => process.exit());
