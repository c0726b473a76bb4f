import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The path of the nearest file or folder of a name, from a folder upwards; undefined where there is none. */
export async function findUpwards(
  from: string,
  name: string,
  kind: "file" | "folder" = "file",
): Promise<string | undefined> {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (kind === "file" ? found?.isFile() : found?.isDirectory()) return path;
    if (dirname(folder) === folder) return undefined;
  }
}
