import { delimiter, isAbsolute, join } from "node:path";
import { findKind, isBelow, resolveLinks } from "@foundry-mcp/toolkit/files";

/**
 * Finds the program git by an absolute path. Folders of the PATH that are relative or inside of the workspace are
 * skipped: whoever wrote the workspace must not choose the program.
 */
export function findGit(
  path: string | undefined,
  workspace: string,
  platform: string = process.platform,
): string | undefined {
  const name = platform === "win32" ? "git.exe" : "git";
  const root = resolveLinks(workspace) ?? workspace;
  return (path ?? "")
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find((file) => {
      const real = findKind(file) === "file" ? resolveLinks(file) : undefined;
      return real !== undefined && !isBelow(file, workspace) && !isBelow(real, root);
    });
}
