import { delimiter, isAbsolute, join } from "node:path";
import { findKind, isBelow, resolveLinks } from "@foundry-mcp/toolkit/files";

/** Where a program is searched. */
export interface ProgramSearch {
  /** The value of the environment variable PATH. */
  readonly path: string | undefined;
  /**
   * The workspace. The author of the workspace must not choose the program, so folders inside the workspace are
   * skipped.
   */
  readonly workspace: string;
  readonly platform?: string | undefined;
}

/**
 * Finds a program and returns its absolute path. Folders of the PATH that are relative or inside the workspace are
 * skipped.
 */
export function findProgram(
  program: string,
  { path, workspace, platform = process.platform }: ProgramSearch,
): string | undefined {
  const name = platform === "win32" ? `${program}.exe` : program;
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
