import { dirname, join } from "node:path";
import { findKind } from "@foundry-mcp/toolkit/files";

/**
 * Finds the nearest file or folder with a name, searching upwards from a folder. Returns undefined if there is none.
 */
export function findUpwards(
  from: string,
  name: string,
  kind: "file" | "folder" = "file",
): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, name);
    if (findKind(path) === kind) return path;
    if (dirname(folder) === folder) return undefined;
  }
}
