import { McpServer } from "@modelcontextprotocol/server";
import { envelopeOutput, lookUpEnvelope, lookUpInput } from "./lookup.ts";

/** Creates a server on the bare SDK whose tool sends the same bytes in both channels of an answer. */
export function createBareServer(): McpServer {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  server.registerTool(
    "look-up",
    { description: "Finds tasks by a word", inputSchema: lookUpInput, outputSchema: envelopeOutput },
    async (input) => {
      const envelope = await lookUpEnvelope(input);
      return { content: [{ type: "text", text: JSON.stringify(envelope) }], structuredContent: envelope };
    },
  );
  return server;
}
