import type { ProgramOption } from "@foundry-mcp/toolkit/cli";
import type { SettingName } from "../config/settings.ts";

/** The settings that every command takes: where the specs are. */
const places = [
  ["specs_dir", "dir", "The folder with the specs"],
  ["store", "place", "Where they are kept: file, postgres, or postgres://…"],
  ["workspace", "name", "Which workspace of the database"],
] as const;

/** The options of every command; what they say goes to the flags. */
export function placeOptions(flags: Partial<Record<SettingName, string>>): readonly ProgramOption[] {
  return places.map(([name, value, description]) => ({
    flags: `--${name.replaceAll("_", "-")} <${value}>`,
    description,
    onValue: (given) => {
      if (given !== undefined) flags[name] = given;
    },
  }));
}

/** The names of the settings that every command takes. */
export const placeNames: readonly SettingName[] = places.map(([name]) => name);
