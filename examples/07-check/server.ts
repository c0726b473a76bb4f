// A server that answers with a sentence, even for a pier that does not exist. With the argument "fixed", the same tool
// answers with envelopes.
import { notFound } from "@foundry-mcp/contract";
import { createRegistry, defineTool } from "@foundry-mcp/toolkit";
import { serveStdio } from "@foundry-mcp/toolkit/stdio";
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const berths = new Map(Object.entries({ north: 12, south: 30 }));
const description = "Count the free berths of a pier";

if (process.argv[2] === "fixed") {
  const berth = defineTool({
    name: "berths",
    version: "1.0.0",
    description,
    input: z.object({ pier: z.string() }),
    output: z.object({ free: z.number() }),
    readOnly: true,
    run: ({ pier }) => {
      const free = berths.get(pier);
      if (free === undefined) throw notFound("pier", pier, { remediation: "Use north or south." });
      return { free };
    },
  });
  serveStdio(createRegistry({ name: "piers", version: "1.0.1", tools: [berth] }));
} else {
  const server = new McpServer({ name: "piers", version: "1.0.0" });
  server.registerTool(
    "berths",
    { description, inputSchema: z.object({ pier: z.string() }), annotations: { readOnlyHint: true } },
    ({ pier }) => ({ content: [{ type: "text", text: `${berths.get(pier) ?? "no"} berths are free` }] }),
  );
  await server.connect(new StdioServerTransport());
}
