import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** The name of the settings files of workspaces and of the user. */
export const settingsFileName = "foundry.toml";

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the folder for data that can be recomputed, or undefined if the user has no home folder. */
export function toCacheFolder(env: Environment): string | undefined {
  return toUserFolder(env["XDG_CACHE_HOME"], ".cache", "foundry-mcp");
}

/** Returns the folder for data that outlives the processes that create it, or undefined if the user has no home folder. */
export function toStateFolder(env: Environment): string | undefined {
  return toUserFolder(env["XDG_STATE_HOME"], join(".local", "state"), "foundry-mcp");
}

/** Returns the path of the user's settings file, or undefined if the user has no home folder. */
export function toUserSettingsFile(env: Environment): string | undefined {
  return toUserFolder(env["XDG_CONFIG_HOME"], ".config", join("foundry", settingsFileName));
}

/**
 * Returns the folder from a variable, or the default folder. The XDG base directory specification requires that an
 * empty or relative variable counts as unset. A relative path would depend on the current folder, whose author must
 * not control the user's data.
 */
function toUserFolder(variable: string | undefined, inHome: string, name: string): string | undefined {
  const folder = variable !== undefined && isAbsolute(variable) ? variable : join(homedir(), inHome);
  return isAbsolute(folder) ? join(folder, name) : undefined;
}
