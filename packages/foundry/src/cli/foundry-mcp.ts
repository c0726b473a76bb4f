#!/usr/bin/env node
import { isContractError } from "@foundry-mcp/contract";
import { serveStdio } from "@foundry-mcp/toolkit/stdio";
import { openServer } from "../app/open-server.ts";
import { parseServerFlags } from "./server-flags.ts";

const settings = parseServerFlags(process.argv.slice(2));
const { registry, logger } = await openServer({ settings }).catch(exitWithMessage);
serveStdio(registry, { logger });

function exitWithMessage(thrown: unknown): never {
  if (!isContractError(thrown)) throw thrown;
  process.stderr.write(`${thrown.message}\n${thrown.options.remediation ?? ""}\n`);
  process.exit(1);
}
