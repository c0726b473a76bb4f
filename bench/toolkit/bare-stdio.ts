import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createBareServer } from "./bare-server.ts";

serveStdio(createBareServer);
