import { homedir, userInfo } from "node:os";
import { dirname, isAbsolute, parse, resolve } from "node:path";
import { isBelow, resolveLinks } from "@foundry-mcp/toolkit/files";
import type { LoadedSettings } from "../config/load-settings.ts";
import type { WorkspaceLocation } from "./workspace-location.ts";

/**
 * Returns the folder from which a server reads documents for its callers. Normally, this is the folder above the
 * specs, or the current folder if the specs are in a database.
 *
 * The folder is never the root of the file system, a home folder, or a folder above a home folder. The folder is also
 * never above the settings file that named the specs. In these cases, only the specs folder is read. Returns
 * undefined if the specs folder is also too wide.
 */
export function findDocumentsFolder(
  location: WorkspaceLocation,
  { origins }: Pick<LoadedSettings, "origins">,
  cwd: string,
): string | undefined {
  if (!("specs_dir" in location)) return isNarrow(cwd) ? cwd : undefined;
  const specs = location.specs_dir;
  const settingsFolder = isAbsolute(origins.specs_dir) ? toReal(dirname(origins.specs_dir)) : undefined;
  // A file that names a folder elsewhere is the user's file, because a workspace's file can only name folders below its
  // own folder.
  const outermost =
    settingsFolder !== undefined && isBelow(toReal(specs), settingsFolder) ? settingsFolder : undefined;
  return [dirname(specs), specs].find(
    (folder) => isNarrow(folder) && (outermost === undefined || isBelow(toReal(folder), outermost)),
  );
}

/** Returns true unless a folder is the root of a file system, a home folder, or a folder above a home folder. */
function isNarrow(folder: string): boolean {
  const real = toReal(folder);
  return real !== parse(real).root && !homeFolders().some((home) => isBelow(toReal(home), real));
}

/** Returns the home folder named in the environment, and the home folder of the account. */
function homeFolders(): readonly string[] {
  try {
    return [homedir(), userInfo().homedir].filter(isAbsolute);
  } catch {
    // The account may have no entry, as is common in containers.
    return [homedir()].filter(isAbsolute);
  }
}

/** Resolves links. The path of a folder that does not exist yet is returned unchanged. */
function toReal(folder: string): string {
  return resolveLinks(folder) ?? resolve(folder);
}
