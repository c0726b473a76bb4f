import { relative, resolve, sep } from "node:path";
import type { FileSystem } from "./file-system.ts";
import { createWorkspaceFiles } from "./workspace-files.ts";

/** A folder that belongs to this program, and the names that it creates there. */
export interface OwnFilesOptions {
  readonly folder: string;
  /** A folder above that is not trusted: no folder between may be a link. @default the folder itself */
  readonly within?: string | undefined;
  /** The forms of names that may be removed, relative to the folder, as sources of regular expressions. */
  readonly removable: readonly string[];
}

/** Creates the guarded file operations of a folder in which no link is followed. */
export function createOwnFiles({ folder, within = folder, removable }: OwnFilesOptions): FileSystem {
  const path = relative(resolve(within), resolve(folder)).split(sep);
  const prefix = path.map((name) => (name === "" ? "" : `${escapeRegExp(name)}/`)).join("");
  return createWorkspaceFiles({
    root: within,
    // The whole way from the untrusted folder down.
    privateFolder: path[0] || ".",
    removable: removable.map((name) => new RegExp(`${prefix}${name}`)),
  });
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
