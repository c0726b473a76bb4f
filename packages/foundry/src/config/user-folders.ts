import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** The name of settings files, of workspaces and of the user. */
export const settingsFileName = "foundry.toml";

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the folder for data that can be computed again; undefined where the user has no home folder. */
export function toCacheFolder(env: Environment): string | undefined {
  return toUserFolder(env["XDG_CACHE_HOME"], ".cache", "foundry-mcp");
}

/** Returns the path of the user's own settings file; undefined where the user has no home folder. */
export function toUserSettingsFile(env: Environment): string | undefined {
  return toUserFolder(env["XDG_CONFIG_HOME"], ".config", join("foundry", settingsFileName));
}

/**
 * As the XDG base directory specification has it, an empty or relative variable counts as unset. A relative path would
 * lead into the folder in which a command is run, and whoever wrote that folder must not decide what is the user's own.
 */
function toUserFolder(variable: string | undefined, inHome: string, name: string): string | undefined {
  const folder = variable !== undefined && isAbsolute(variable) ? variable : join(homedir(), inHome);
  return isAbsolute(folder) ? join(folder, name) : undefined;
}
