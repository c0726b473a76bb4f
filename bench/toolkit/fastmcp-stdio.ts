import { createFastMcpServer } from "./fastmcp-server.ts";

await createFastMcpServer().start({ transportType: "stdio" });
