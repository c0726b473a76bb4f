// The server that the official conformance suites test, implemented only with the toolkit.
import { createRegistry } from "@foundry-mcp/toolkit";
import { serveHttp } from "@foundry-mcp/toolkit/http";
import { createMemoryJobs } from "@foundry-mcp/toolkit/jobs";
import { askingTools } from "./fixture/asking-tools.ts";
import { createChangeTools } from "./fixture/change-tools.ts";
import { contentTools } from "./fixture/content-tools.ts";
import { notifyingTools } from "./fixture/notifying-tools.ts";
import { prompts } from "./fixture/prompts.ts";
import { resources } from "./fixture/resources.ts";
import { roundTools } from "./fixture/round-tools.ts";
import { schemaTools } from "./fixture/schema-tools.ts";
import { taskTools } from "./fixture/task-tools.ts";

const registry = createRegistry({
  name: "conformance-fixture",
  version: "1.0.0",
  tools: [...contentTools, ...notifyingTools, ...askingTools, ...roundTools, ...schemaTools, ...taskTools],
  jobs: createMemoryJobs({ limits: { pollIntervalMs: 100 } }),
  resources,
  prompts,
});
for (const tool of createChangeTools(registry)) registry.addTool(tool);

const [port = "0"] = process.argv.slice(2);
const { url } = await serveHttp(registry, { port: Number(port) });
process.stdout.write(`${url}/mcp\n`);
