import { FastMCP } from "fastmcp";
import { envelopeOutput, lookUpEnvelope, lookUpInput } from "./lookup.ts";

/**
 * Creates a server with the measured tool on fastmcp. fastmcp writes both channels of an answer itself from the
 * handler's return value. It also waits a millisecond before every answer. With one call in flight, this wait is most
 * of the measured time. With fifty calls in flight, the wait has little effect.
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
