import { randomUUID } from "node:crypto";
import { serve } from "@hono/node-server";
import { createMcpHandler, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { Hono } from "hono";
import { createBareServer } from "./bare-server.ts";
import { tellPort } from "./tell-port.ts";

const handler = createMcpHandler(createBareServer);
const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

async function openSession(): Promise<WebStandardStreamableHTTPServerTransport> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  });
  await createBareServer().connect(transport);
  return transport;
}

const app = new Hono();
app.all("/mcp", (c) => handler.fetch(c.req.raw));
// Clients of earlier protocol versions use a separate address, because distinguishing both kinds of requests
// at one address would cost the bare server time.
app.all("/sessions", async (c) => {
  const known = sessions.get(c.req.header("mcp-session-id") ?? "");
  return (known ?? (await openSession())).handleRequest(c.req.raw);
});
serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => tellPort(port));
