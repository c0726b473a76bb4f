import { parseArgs } from "node:util";
import { isContractError } from "@foundry-mcp/contract";
import { maskFromPassword } from "@foundry-mcp/toolkit";
import { serveStdio } from "@foundry-mcp/toolkit/stdio";
import { openServer } from "../app/open-server.ts";
import { optionSettings, type SettingName, settings, toOption, toOptionName } from "../config/settings.ts";
import { programName } from "../program/program-name.ts";

/** Serves MCP over stdio with the settings of the command line. Ends the process if they are invalid. */
export async function runServer(): Promise<void> {
  const given = parseSettings(process.argv.slice(2));
  const { registry, logger } = await openServer({ settings: given }).catch(exitWithMessage);
  serveStdio(registry, { logger });
  // Without this message, a person who types only the name would see no output.
  if (process.stdin.isTTY)
    process.stderr.write(
      `Serving MCP over stdio, for a client. Ctrl-C ends. Commands: ${programName} help\n`,
    );
}

function exitWithMessage(thrown: unknown): never {
  if (!isContractError(thrown)) throw thrown;
  process.stderr.write(`${thrown.message}\n${thrown.remediation ?? ""}\n`);
  process.exit(1);
}

/** Parses settings from the command line. Ends the process if the command line is invalid. */
function parseSettings(argv: readonly string[]): Partial<Record<SettingName, string>> {
  const options = Object.fromEntries(
    optionSettings.map((name) => [toOptionName(name), { type: "string" as const }]),
  );
  try {
    const { values } = parseArgs({ args: [...argv], options, strict: true, allowPositionals: false });
    return Object.fromEntries(
      optionSettings.flatMap((name) => {
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

function usageMessage(thrown: unknown): string {
  const why = thrown instanceof Error ? thrown.message.split("\n")[0] : String(thrown);
  const lines = optionSettings.map(
    (name) => `  ${toOption(name).padEnd(16)} ${settings[name].about} (${settings[name].env})`,
  );
  // A misplaced argument may be the address of a database.
  const masked = why === undefined ? why : maskFromPassword(why);
  return `Cannot start: ${masked}\n\nUsage: foundry-mcp [options]\n\n${lines.join("\n")}\n`;
}
