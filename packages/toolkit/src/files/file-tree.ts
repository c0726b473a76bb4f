import { constants } from "node:fs";
import { opendir } from "node:fs/promises";
import { resolve } from "node:path";
import { asyncCalls } from "./async-calls.ts";
import type { FileCalls } from "./file-calls.ts";
import { linkLeadsOut, outsideRoot, type RefusedFile } from "./file-refusals.ts";
import { type FileStat, isSameInode } from "./file-system.ts";
import { isBelow } from "./is-below.ts";
import { openRegular, readToEnd } from "./open-regular.ts";

/** A file or folder with its links resolved. */
export interface LocatedFile {
  readonly path: string;
  readonly stat: FileStat;
}

/**
 * An entry of a folder. The kind `other` means a link, a pipe, a socket, a device, or an entry of unknown
 * kind.
 */
export interface TreeEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "other";
}

/** Read access to files and folders. Refused paths fail with INVALID_PATH; other errors are Node's. */
export interface FileTree {
  /** Resolves a path and its links; a path outside of the root is refused before it is looked up. */
  locate(path: string): Promise<LocatedFile>;
  /** Reads a regular file of at most `maxBytes`; fails with CONTENT_TOO_LARGE. */
  readFile(path: string, maxBytes: number): Promise<Buffer>;
  /** Lists a folder by its resolved path. */
  list(path: string): Promise<readonly TreeEntry[]>;
}

/** The folder of a tree. */
export interface FileTreeOptions {
  /** The folder that paths and links must not lead out of. @default none, for files that a person named */
  readonly root?: string | undefined;
  /**
   * The resolved path of a folder that the links of the root, and of the folders above the root, must not lead
   * out of. @default the links may lead anywhere
   */
  readonly boundary?: string | undefined;
  /** @default asyncCalls */
  readonly calls?: FileCalls | undefined;
}

/** Creates read access to the files below a folder, or to all files if no root is given. */
export function createFileTree({ root, boundary, calls = asyncCalls }: FileTreeOptions = {}): FileTree {
  async function locate(path: string): Promise<LocatedFile> {
    if (root === undefined) return { path: resolve(path), stat: await calls.stat(resolve(path)) };
    const realRoot = await calls.realpath(root);
    const target = resolve(root, path);
    const file: RefusedFile = { verb: "read", name: path, isPrivate: false };
    // A path outside of the root is refused before it is looked up, so that callers cannot test whether it exists.
    if (!isBelow(target, resolve(root)) && !isBelow(target, realRoot)) throw outsideRoot(file);
    if (boundary !== undefined && !isBelow(realRoot, boundary)) throw linkLeadsOut(file);
    const real = await calls.realpath(target);
    if (!isBelow(real, realRoot)) throw linkLeadsOut(file);
    return { path: real, stat: await calls.stat(real) };
  }

  return {
    locate,
    async readFile(path, maxBytes) {
      const file: RefusedFile = { verb: "read", name: path, isPrivate: false };
      const located = await locate(path);
      const opened = await openRegular(calls, located.path, file, {
        flags: constants.O_RDONLY,
        follow: root === undefined,
      });
      try {
        // A folder in the path may have been replaced by a link since the path was checked.
        if (!isSameInode(opened.stat, (await locate(path)).stat)) throw linkLeadsOut(file);
        return await readToEnd(calls, opened, file, maxBytes);
      } finally {
        await calls.close(opened.descriptor);
      }
    },
    async list(path) {
      const { path: real } = await locate(path);
      // The folder may have been replaced by a link since it was resolved.
      if (real !== path) throw linkLeadsOut({ verb: "list", name: path, isPrivate: false });
      const entries: TreeEntry[] = [];
      for await (const entry of await opendir(real)) {
        const kind = entry.isDirectory() ? "folder" : entry.isFile() ? "file" : "other";
        entries.push({ name: entry.name, kind });
        if (entries.length >= maxEntries) break;
      }
      return entries;
    },
  };
}

/** The maximum number of entries listed for one folder. */
const maxEntries = 1_000_000;
