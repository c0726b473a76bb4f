import { statSync } from "node:fs";
import { dirname, join } from "node:path";

/** The path of the nearest file or folder of a name, from a folder upwards; undefined where there is none. */
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
    // What may not be looked at is not there for us.
    return undefined;
  }
}
