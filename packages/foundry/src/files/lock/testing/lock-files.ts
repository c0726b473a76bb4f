import { createWorkspaceFiles, type FileSystem } from "@foundry-mcp/toolkit/files";
import { lockNames } from "../lock-names.ts";

/** Creates the file operations for a folder of locks. */
export function createLockFiles(root: string): FileSystem {
  return createWorkspaceFiles({ root, privateFolder: ".", removable: [lockNames(""), lockNames("x/y")] });
}
