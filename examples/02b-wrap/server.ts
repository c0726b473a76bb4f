import { notFound } from "@foundry-mcp/contract";
import { wrapTool } from "@foundry-mcp/toolkit/mcp";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const tides = new Map(Object.entries({ dover: 6.7, calais: 7.2, ostend: 4.6 }));

serveStdio(() => {
  const server = new McpServer({ name: "tides", version: "1.0.0" });
  // As it was: whatever goes wrong, a client sees a bare text.
  server.registerTool(
    "tide-plain",
    { description: "The next high tide, as the SDK answers it", inputSchema: z.object({ port: z.string() }) },
    ({ port }) => {
      const metres = tides.get(port);
      if (metres === undefined) throw new Error(`no such port: ${port}`);
      return { content: [{ type: "text", text: String(metres) }] };
    },
  );
  // As it is now: the same server, one line changed, and the handler returns a payload or throws.
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
