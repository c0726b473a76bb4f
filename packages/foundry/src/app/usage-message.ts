import { settingNames, settings } from "../config/settings.ts";

/** What a server says where its command line makes no sense. */
export function usageMessage(thrown: unknown): string {
  const why = thrown instanceof Error ? thrown.message.split("\n")[0] : String(thrown);
  const lines = settingNames.map(
    (name) => `  --${name.replaceAll("_", "-").padEnd(14)} ${settings[name].about} (${settings[name].env})`,
  );
  // An address of a database that stands in the wrong place.
  const told = why?.replace(/\S*(?:pass(?:word|wd)?\s*=|:\/\/\S*[:@]).*/gi, "***");
  return `Cannot start: ${told}\n\nUsage: foundry-mcp [options]\n\n${lines.join("\n")}\n`;
}
