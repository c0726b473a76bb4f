import { statSync } from "node:fs";
import { dirname, join } from "node:path";

/** Finds the nearest file or folder of a name, from a folder upwards; returns undefined where there is none. */
export function findUpwards(
  from: string,
  name: string,
  kind: "file" | "folder" = "file",
): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, name);
    const found = statOf(path);
    if (kind === "file" ? found?.isFile() : found?.isDirectory()) return path;
    if (dirname(folder) === folder) return undefined;
  }
}

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // A path without permission counts as missing.
    return undefined;
  }
}
