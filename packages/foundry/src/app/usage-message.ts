import { maskFromPassword } from "@foundry-mcp/toolkit";
import { settingNames, settings } from "../config/settings.ts";

/** What a server says where its command line makes no sense. */
export function usageMessage(thrown: unknown): string {
  const why = thrown instanceof Error ? thrown.message.split("\n")[0] : String(thrown);
  const lines = settingNames.map(
    (name) => `  --${name.replaceAll("_", "-").padEnd(14)} ${settings[name].about} (${settings[name].env})`,
  );
  // An argument in the wrong place may be the address of a database.
  const masked = why === undefined ? why : maskFromPassword(why);
  return `Cannot start: ${masked}\n\nUsage: foundry-mcp [options]\n\n${lines.join("\n")}\n`;
}
