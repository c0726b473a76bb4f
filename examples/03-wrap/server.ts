import { notFound } from "@foundry-mcp/contract";
import { wrapTool } from "@foundry-mcp/toolkit/mcp";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const tides = new Map(Object.entries({ dover: 6.7, calais: 7.2, ostend: 4.6 }));

serveStdio(() => {
  const server = new McpServer({ name: "tides", version: "1.0.0" });
  // Before: every error reaches the client as plain text, without a code.
  server.registerTool(
    "tide-plain",
    { description: "The next high tide, as the SDK answers it", inputSchema: z.object({ port: z.string() }) },
    ({ port }) => {
      const metres = tides.get(port);
      if (metres === undefined) throw new Error(`no such port: ${port}`);
      return { content: [{ type: "text", text: String(metres) }] };
    },
  );
  // After: one line of the server is changed. The handler returns a payload or throws.
  wrapTool(
    server,
    "tide",
    { description: "The next high tide", inputSchema: z.object({ port: z.string() }), readOnly: true },
    ({ port }) => {
      const metres = tides.get(port);
      if (metres === undefined) throw notFound("port", port, { remediation: "Use dover, calais or ostend." });
      return { metres };
    },
  );
  return server;
});
