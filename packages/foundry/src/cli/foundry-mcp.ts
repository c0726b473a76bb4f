#!/usr/bin/env node
import { serveStdio } from "@foundry-mcp/toolkit/stdio";
import { openServer } from "../app/open-server.ts";
import { parseServerFlags } from "./server-flags.ts";

const { registry, logger } = await openServer(parseServerFlags(process.argv.slice(2)));
serveStdio(registry, { logger });
