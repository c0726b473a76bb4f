import { serveHttp } from "@foundry-mcp/toolkit/http";
import { createBenchRegistry } from "./bench-registry.ts";
import { tellPort } from "./tell-port.ts";

const { port } = await serveHttp(createBenchRegistry(), { port: 0 });
tellPort(port);
