import { FastMCP } from "fastmcp";
import { envelopeOutput, lookUpEnvelope, lookUpInput } from "./lookup.ts";

/**
 * The tool on fastmcp, which writes both channels itself from what a handler returns. It waits a
 * millisecond before every answer: with one call in flight most of its time is that, with fifty it is not.
 */
export function createFastMcpServer(): FastMCP {
  const server = new FastMCP({ name: "bench", version: "1.0.0" });
  server.addTool({
    name: "look-up",
    description: "Finds tasks by a word",
    parameters: lookUpInput,
    outputSchema: envelopeOutput,
    execute: (input) => lookUpEnvelope(input),
  });
  return server;
}
