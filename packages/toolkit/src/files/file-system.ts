import type { Stats } from "node:fs";

/** The metadata of a file. */
export type FileStat = Pick<
  Stats,
  | "size"
  | "mode"
  | "uid"
  | "gid"
  | "mtimeMs"
  | "ctimeMs"
  | "ino"
  | "dev"
  | "isFile"
  | "isDirectory"
  | "isSymbolicLink"
>;

/** A new file that is being written. */
export interface NewFile {
  /** Appends chunks and returns the number of bytes written, which may be fewer than given. */
  writev(chunks: readonly Uint8Array[]): Promise<number>;
  chmod(mode: number): Promise<void>;
  /** Gives it the mode of the file that it is about to replace, and its group if possible. */
  adopt(former: Pick<FileStat, "mode" | "uid" | "gid">): Promise<void>;
  /** Flushes the content to the disk (fsync). */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The content of a file that was read, and the metadata of the file that was opened. */
export interface FileContent {
  readonly bytes: Buffer;
  readonly stat: FileStat;
  /** False if the file was changed or replaced while it was read. */
  readonly isStable: boolean;
}

/** A path with its symbolic links resolved, and the file that is there. */
export interface ResolvedPath {
  readonly path: string;
  /** Undefined if there is no file; otherwise that of a regular file. */
  readonly stat: FileStat | undefined;
  /** True if the path itself is a symbolic link. */
  readonly isLink: boolean;
}

/** Options of an append. */
export interface AppendOptions {
  /** The mode of a file that is created; a folder that a group shares adds that group. @default 0o666 without the umask */
  readonly mode?: number | undefined;
  /** Flush the content to the disk. @default false: a power loss may truncate the end */
  readonly sync?: boolean | undefined;
}

/** Options of creating a folder. */
export interface FolderOptions {
  /** The mode of folders that are created; a folder that a group shares adds that group. @default 0o777 without the umask */
  readonly mode?: number | undefined;
  /** Fail with EEXIST if the folder exists. @default false */
  readonly exclusive?: boolean | undefined;
}

/**
 * The file operations below one folder. Paths and links that lead out of it, and files that are not regular ones, fail
 * with a ContractError; other errors are those of Node.
 */
export interface FileSystem {
  /** Creates a file; fails with EEXIST if it exists. In a folder that a group shares, the file is shared as well. */
  create(path: string, mode?: number): Promise<NewFile>;
  /** Reads a regular file; fails with CONTENT_TOO_LARGE before it holds more than `maxBytes` in memory. */
  readFile(path: string, maxBytes: number): Promise<FileContent>;
  /** Appends to a file, creating it if missing; returns its metadata after the write. */
  append(path: string, bytes: Uint8Array, options?: AppendOptions): Promise<FileStat>;
  /** Overwrites bytes of an existing file. */
  writeAt(path: string, position: number, bytes: Uint8Array): Promise<void>;
  /** Cuts an existing file off at a size, durably. */
  truncate(path: string, size: number): Promise<void>;
  /** Sets the modification time of an existing file to now. */
  touch(path: string): Promise<void>;
  /** Follows symbolic links, except in the private folder. Metadata only: every other operation checks the path itself. */
  stat(path: string): Promise<FileStat>;
  /** Does not follow symbolic links. */
  lstat(path: string): Promise<FileStat>;
  /** Fails with EACCES, EPERM or EROFS if the file is not writable. */
  requireWritable(path: string): Promise<void>;
  /** Resolves the symbolic links of a path that is about to be written: a linked file is written at its target. */
  resolve(path: string): Promise<ResolvedPath>;
  /** Lists the names in a folder; fails with CONTENT_TOO_LARGE if there are more than `max`. @default 100_000 */
  readdir(path: string, max?: number): Promise<readonly string[]>;
  /** Creates a folder and its missing parents; returns the topmost folder that was created. */
  mkdir(path: string, options?: FolderOptions): Promise<string | undefined>;
  /** Renames a regular file; whatever has the other name is replaced and not followed. */
  rename(from: string, to: string): Promise<void>;
  /**
   * Renames a regular file over another one, unless that was written or replaced since it was found: then nothing is done,
   * and the answer is false. Hard links and modes may have changed.
   */
  replace(from: string, to: string, found: FileIdentity): Promise<boolean>;
  /** Creates a hard link; fails with EEXIST if the name is taken. */
  link(from: string, to: string): Promise<void>;
  /** Removes a file whose name has the form of a name that this program creates. */
  unlink(path: string): Promise<void>;
  /** Removes an empty folder whose name has the form of a name that this program creates. */
  rmdir(path: string): Promise<void>;
  /** Flushes the entries of a folder to the disk (fsync). */
  syncFolder(path: string): Promise<void>;
}

/** The metadata that changes whenever a file is replaced or written. */
export type FileIdentity = Pick<FileStat, "ino" | "dev" | "size" | "mtimeMs" | "ctimeMs">;

/** True if both describe the same file with unchanged content. */
export function isSameFile(a: FileIdentity, b: FileIdentity): boolean {
  return isSameText(a, b) && a.ctimeMs === b.ctimeMs;
}

/** True if both describe the same file with unchanged content, whatever its links and its mode. */
export function isSameText(a: FileIdentity, b: FileIdentity): boolean {
  return isSameInode(a, b) && a.size === b.size && a.mtimeMs === b.mtimeMs;
}

/** True if both describe the same file, whatever its content. */
export function isSameInode(a: Pick<FileStat, "ino" | "dev">, b: Pick<FileStat, "ino" | "dev">): boolean {
  return a.ino === b.ino && a.dev === b.dev;
}
