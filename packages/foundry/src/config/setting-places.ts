import { commandSettings, type SettingName, settings, toOption } from "./settings.ts";
import { settingsFileName } from "./user-folders.ts";

/**
 * Returns the places where a user may change a setting: the user's settings file, the environment variable and the
 * option.
 */
export function toSettingPlaces(name: SettingName, userFile: string | undefined): readonly string[] {
  const ofUser = userFile === undefined ? [] : [userFile];
  const { env } = settings[name];
  if (env === undefined) return [userFile ?? `your own ${settingsFileName}`];
  const isForEvery = "isForCommands" in settings[name] || commandSettings.some((each) => each === name);
  const option = `${toOption(name)}${isForEvery ? "" : " of foundry-mcp and foundry-cli serve"}`;
  return [...ofUser, env, option];
}

/**
 * Lists the places to change a setting in a sentence: `in /home/ann/.config/foundry/foundry.toml, with FOUNDRY_PORT
 * or with --port`.
 */
export function nameSettingPlaces(name: SettingName, userFile: string | undefined): string {
  const places = toSettingPlaces(name, userFile).map(
    (place) => `${place.endsWith(settingsFileName) ? "in" : "with"} ${place}`,
  );
  return places.join(", ").replace(/, (?=[^,]*$)/, " or ");
}
