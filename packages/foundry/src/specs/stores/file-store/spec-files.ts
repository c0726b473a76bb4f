import { createWorkspaceFiles, type FileCalls, type FileSystem } from "@foundry-mcp/toolkit/files";
import { lockNames } from "../../../files/lock/lock-names.ts";
import { baseName } from "../history/history-files.ts";
import { replacedName } from "../history/replaced-files.ts";
import { responseName } from "./response-files.ts";

/** The folder below a specs folder that holds everything that is stored next to specs. */
export const sidecarFolder = ".foundry";

/** Creates the guarded file operations of a specs folder. */
export function createSpecFiles(root: string, calls?: FileCalls): FileSystem {
  const own = "\\.foundry";
  return createWorkspaceFiles({
    root,
    privateFolder: sidecarFolder,
    removable: [
      lockNames(`${sidecarFolder}/locks`),
      new RegExp(`${own}/history/[^/]+/${baseName.source}`),
      new RegExp(`${own}/history/[^/]+/${replacedName.source}`),
      new RegExp(`${own}/state/[^/]+\\.json`),
      new RegExp(`${own}/answers/[^/]+/${responseName.source}`),
    ],
    calls,
  });
}
