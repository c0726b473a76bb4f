// A server that answers as many servers do: lists without pages, errors as sentences, and one tool that ends the process.
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const server = new McpServer({ name: "harbour", version: "1.0.0" });
const text = (content: string, isError = false) => ({
  content: [{ type: "text" as const, text: content }],
  ...(isError ? { isError } : {}),
});

server.registerTool(
  "list-ships",
  { description: "List the ships in the harbour", annotations: { readOnlyHint: true } },
  () => text(JSON.stringify({ ships: Array.from({ length: 120 }, (_, id) => ({ id, name: `ship ${id}` })) })),
);
server.registerTool(
  "read-ship",
  {
    description: "Read a ship",
    inputSchema: z.object({ id: z.number() }),
    annotations: { readOnlyHint: true },
  },
  ({ id }) =>
    id < 120 ? text(`ship ${id} is moored`) : text(`Error: ship ${id} was not found in the register`, true),
);
server.registerTool("sink", { description: "End the process of this server" }, () => process.exit(1));

await server.connect(new StdioServerTransport());
