import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { openPassThrough } from "./pass-through.ts";

serveStdio((await openPassThrough()) as never);
