import { join } from "node:path";
import { createWorkspaceFiles, type FileCalls, type FileSystem } from "@foundry-mcp/toolkit/files";
import { lockNames } from "../../../files/lock/lock-names.ts";
import { baseName } from "../history/history-files.ts";
import { replacedName } from "../history/replaced-files.ts";
import { ignoreSidecar } from "./ignore-sidecar.ts";
import { responseName } from "./response-files.ts";

/** The folder below a specs folder that contains all data stored next to specs. */
export const sidecarFolder = ".foundry";

/** How a specs folder is opened. */
export interface SpecFilesOptions {
  /** A folder that the links of the specs folder must not lead out of. @default they may lead anywhere */
  readonly boundary?: string | undefined;
  readonly calls?: FileCalls | undefined;
}

/** Creates the guarded file operations of a specs folder. */
export function createSpecFiles(root: string, { boundary, calls }: SpecFilesOptions = {}): FileSystem {
  const own = "\\.foundry";
  const files = createWorkspaceFiles({
    root,
    boundary,
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
  const folder = join(root, sidecarFolder);
  return {
    ...files,
    mkdir: async (path, options) => {
      const first = await files.mkdir(path, options);
      // When the first folder of the sidecar is created, its `.gitignore` is also written, even in an older
      // workspace.
      if (first !== undefined && path.startsWith(folder)) await ignoreSidecar(files, folder);
      return first;
    },
  };
}
