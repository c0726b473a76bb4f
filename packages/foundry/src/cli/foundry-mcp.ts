#!/usr/bin/env node
import { parseArgs } from "node:util";
import { isContractError } from "@foundry-mcp/contract";
import { serveStdio } from "@foundry-mcp/toolkit/stdio";
import { openServer } from "../app/open-server.ts";
import { usageMessage } from "../app/usage-message.ts";
import { type SettingName, settingNames } from "../config/settings.ts";

const settings = parseSettings(process.argv.slice(2));
const { registry, logger } = await openServer({ settings }).catch(exitWithMessage);
serveStdio(registry, { logger });

function exitWithMessage(thrown: unknown): never {
  if (!isContractError(thrown)) throw thrown;
  process.stderr.write(`${thrown.message}\n${thrown.options.remediation ?? ""}\n`);
  process.exit(1);
}

/** Parses settings from the command line; a line that cannot be parsed ends the process. */
function parseSettings(argv: readonly string[]): Partial<Record<SettingName, string>> {
  const toOptionName = (name: SettingName) => name.replaceAll("_", "-");
  const options = Object.fromEntries(
    settingNames.map((name) => [toOptionName(name), { type: "string" as const }]),
  );
  try {
    const { values } = parseArgs({ args: [...argv], options, strict: true, allowPositionals: false });
    return Object.fromEntries(
      settingNames.flatMap((name) => {
        const value = values[toOptionName(name)];
        return typeof value === "string" ? [[name, value]] : [];
      }),
    );
  } catch (thrown) {
    // stdout is reserved for the protocol, and no client has connected yet.
    process.stderr.write(usageMessage(thrown));
    process.exit(2);
  }
}
