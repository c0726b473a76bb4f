import { notFound } from "@foundry-mcp/contract";
import { createRegistry, defineTool } from "@foundry-mcp/toolkit";
import { serveStdio } from "@foundry-mcp/toolkit/stdio";
import { z } from "zod";

const tides = new Map(Object.entries({ dover: 6.7, calais: 7.2, ostend: 4.6 }));
const tide = defineTool({
  name: "tide",
  version: "1.0.0",
  description: "The height of the next high tide at a port, in metres",
  input: z.object({ port: z.string() }),
  output: z.object({ metres: z.number() }),
  readOnly: true,
  run: ({ port }) => {
    const metres = tides.get(port);
    if (metres === undefined) throw notFound("port", port, { remediation: "Use dover, calais or ostend." });
    return { metres };
  },
});
serveStdio(createRegistry({ name: "tides", version: "1.0.0", tools: [tide] }));
