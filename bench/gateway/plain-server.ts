import { Server } from "@modelcontextprotocol/server";

/** Creates a server as other people write them: its tool answers with a text of the wanted length. */
export function createPlainServer(): Server {
  const server = new Server({ name: "plain", version: "1.0.0" }, { capabilities: { tools: {} } });
  const inputSchema = { type: "object" as const, properties: { chars: { type: "integer" } } };
  const names = ["text", ...Array.from({ length: 9 }, (_, index) => `other_${index}`)];
  server.setRequestHandler("tools/list", () => ({
    tools: names.map((name) => ({
      name,
      description: `Returns a text of the wanted length, as ${name} does`,
      inputSchema,
      annotations: { readOnlyHint: true },
    })),
  }));
  server.setRequestHandler("tools/call", ({ params }) => ({
    content: [{ type: "text", text: "x".repeat(Number(params.arguments?.["chars"] ?? 0)) }],
  }));
  return server;
}
