import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createPlainServer } from "./plain-server.ts";

serveStdio(createPlainServer as never);
