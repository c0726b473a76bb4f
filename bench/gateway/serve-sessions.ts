import { randomUUID } from "node:crypto";
import { serve } from "@hono/node-server";
import { type Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { Hono } from "hono";
import { tellPort } from "../toolkit/tell-port.ts";

/** Serves a server of the bare SDK over HTTP, with one server for each session. */
export function serveSessions(create: () => Server): void {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const open = async () => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await create().connect(transport);
    return transport;
  };
  const app = new Hono();
  app.all("/mcp", async (c) => {
    const known = sessions.get(c.req.header("mcp-session-id") ?? "");
    return (known ?? (await open())).handleRequest(c.req.raw);
  });
  serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => tellPort(port));
}
