import { dirname, join } from "node:path";
import { findKind } from "@foundry-mcp/toolkit/files";

/**
 * Finds the nearest file or folder with a name, searching upwards from a folder. Returns undefined if there is none.
 * The kind "anything" finds also a folder, a pipe or a device, so that the reader refuses it by name instead of
 * continuing as if it were missing.
 */
export function findUpwards(
  from: string,
  name: string,
  kind: "file" | "folder" | "anything" = "file",
): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, name);
    const found = findKind(path);
    if (found === kind || (kind === "anything" && found !== undefined)) return path;
    if (dirname(folder) === folder) return undefined;
  }
}
