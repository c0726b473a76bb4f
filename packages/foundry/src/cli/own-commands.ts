import { Command } from "commander";
import type { LoadedSettings } from "../config/load-settings.ts";
import { type SettingName, settingNames, settings } from "../config/settings.ts";
import { placeNames } from "./place-options.ts";
import { watchCommand } from "./program-commands.ts";

/** What the commands work with that call no tool. */
export interface CommandPlace {
  /** The settings as the flags so far make them. */
  readonly load: () => Promise<LoadedSettings>;
  readonly flags: Partial<Record<SettingName, string>>;
  readonly cwd: string;
}

const served: readonly SettingName[] = settingNames.filter((name) => !placeNames.includes(name));

/** The commands that run until they are ended, and write for themselves. */
export function ownCommands({ load, flags, cwd }: CommandPlace): readonly Command[] {
  const serve = new Command("serve").description("Serve MCP and HTTP on this machine");
  for (const name of served) serve.option(`--${name.replaceAll("_", "-")} <value>`, settings[name].about);
  serve.action(async (given: Readonly<Record<string, string>>) => {
    for (const name of served) {
      const value = given[toCamel(name)];
      if (value !== undefined) flags[name] = value;
    }
    const { serveWorkspace } = await import("../app/serve-workspace.ts");
    await serveWorkspace(await load(), cwd);
  });
  return [serve, watchCommand({ load, cwd })];
}

/** commander hands options over in camelCase. */
function toCamel(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}
