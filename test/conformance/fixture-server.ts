// The server that the official conformance suites are run against, written with the toolkit alone.
import { createRegistry } from "@foundry-mcp/toolkit";
import { serveHttp } from "@foundry-mcp/toolkit/http";
import { askingTools } from "./fixture/asking-tools.ts";
import { createChangeTools } from "./fixture/change-tools.ts";
import { contentTools } from "./fixture/content-tools.ts";
import { prompts } from "./fixture/prompts.ts";
import { resources } from "./fixture/resources.ts";
import { roundTools } from "./fixture/round-tools.ts";
import { schemaTools } from "./fixture/schema-tools.ts";
import { talkingTools } from "./fixture/talking-tools.ts";

const registry = createRegistry({
  name: "conformance-fixture",
  version: "1.0.0",
  tools: [...contentTools, ...talkingTools, ...askingTools, ...roundTools, ...schemaTools],
  resources,
  prompts,
});
for (const tool of createChangeTools(registry)) registry.addTool(tool);

const [port = "0"] = process.argv.slice(2);
const { url } = await serveHttp(registry, { port: Number(port) });
process.stdout.write(`${url}/mcp\n`);
