import { relative, resolve, sep } from "node:path";
import type { FileSystem } from "./file-system.ts";
import { createWorkspaceFiles } from "./workspace-files.ts";

/** A folder that belongs to this program, and the names that the program creates there. */
export interface OwnFilesOptions {
  readonly folder: string;
  /**
   * A parent folder that is not trusted: no folder between this parent and `folder` may be a link.
   * @default the folder itself
   */
  readonly within?: string | undefined;
  /** A folder that the links of `within` must not lead out of. @default they may lead anywhere */
  readonly boundary?: string | undefined;
  /** The forms of names that may be removed, relative to the folder, as sources of regular expressions. */
  readonly removable: readonly string[];
}

/** Creates guarded file operations for a folder in which links are not followed. */
export function createOwnFiles({
  folder,
  within = folder,
  boundary,
  removable,
}: OwnFilesOptions): FileSystem {
  const path = relative(resolve(within), resolve(folder)).split(sep);
  const prefix = path.map((name) => (name === "" ? "" : `${escapeRegExp(name)}/`)).join("");
  return createWorkspaceFiles({
    root: within,
    boundary,
    // The first folder below the untrusted folder is the private folder, so no folder in the path may be a
    // link.
    privateFolder: path[0] || ".",
    removable: removable.map((name) => new RegExp(`${prefix}${name}`)),
  });
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
