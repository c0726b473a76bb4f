import { homedir, userInfo } from "node:os";
import { dirname, isAbsolute, parse, resolve } from "node:path";
import { isBelow, resolveLinks } from "@foundry-mcp/toolkit/files";
import type { LoadedSettings } from "../config/load-settings.ts";
import type { WorkspaceLocation } from "./workspace-location.ts";

/**
 * Returns the folder whose documents a server reads for its callers: the one above the specs, or the current folder
 * for specs in a database. It is never the root of the file system, a home folder, a folder above one, or a folder
 * above the settings file that named the specs: then only the specs folder itself is read, and undefined is returned
 * where that is too wide as well.
 */
export function findDocumentsFolder(
  location: WorkspaceLocation,
  { origins }: Pick<LoadedSettings, "origins">,
  cwd: string,
): string | undefined {
  if (!("specs_dir" in location)) return isNarrow(cwd) ? cwd : undefined;
  const specs = location.specs_dir;
  const settingsFolder = isAbsolute(origins.specs_dir) ? toReal(dirname(origins.specs_dir)) : undefined;
  // A file that names a folder elsewhere is the user's own; that of a workspace can name only folders beside it.
  const outermost =
    settingsFolder !== undefined && isBelow(toReal(specs), settingsFolder) ? settingsFolder : undefined;
  return [dirname(specs), specs].find(
    (folder) => isNarrow(folder) && (outermost === undefined || isBelow(toReal(folder), outermost)),
  );
}

/** Returns true unless a folder is the root of a file system, a home folder, or above one. */
function isNarrow(folder: string): boolean {
  const real = toReal(folder);
  return real !== parse(real).root && !homeFolders().some((home) => isBelow(toReal(home), real));
}

/** The home folder that the environment names, and that of the account. */
function homeFolders(): readonly string[] {
  try {
    return [homedir(), userInfo().homedir].filter(isAbsolute);
  } catch {
    // The account may have no entry, as in many containers.
    return [homedir()].filter(isAbsolute);
  }
}

/** Resolves links; a folder that does not exist yet is taken as it is named. */
function toReal(folder: string): string {
  return resolveLinks(folder) ?? resolve(folder);
}
