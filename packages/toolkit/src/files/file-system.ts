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
  /** Copies the mode of the file that this file will replace, and its group if possible. */
  adopt(former: Pick<FileStat, "mode" | "uid" | "gid">): Promise<void>;
  /** Flushes the content to the disk (fsync). */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The content of a file, and the metadata that the file had when it was opened. */
export interface FileContent {
  readonly bytes: Buffer;
  readonly stat: FileStat;
  /** False if the file was changed or replaced while it was read. */
  readonly isStable: boolean;
}

/** A path whose symbolic links have been resolved, and the file at this path. */
export interface ResolvedPath {
  readonly path: string;
  /** The metadata of the regular file; undefined if there is no file. */
  readonly stat: FileStat | undefined;
  /** True if the path itself is a symbolic link. */
  readonly isLink: boolean;
}

/** Options of an append. */
export interface AppendOptions {
  /**
   * The mode of a created file; in a folder shared by a group, the group's access is added.
   * @default 0o666 without the umask
   */
  readonly mode?: number | undefined;
  /** True to flush the content to the disk. @default false: a power failure may lose the end of the file */
  readonly sync?: boolean | undefined;
}

/** Options of creating a folder. */
export interface FolderOptions {
  /**
   * The mode of created folders; in a folder shared by a group, the group's access is added.
   * @default 0o777 without the umask
   */
  readonly mode?: number | undefined;
  /** True to fail with EEXIST if the folder exists. @default false */
  readonly exclusive?: boolean | undefined;
}

/**
 * The file operations below one folder. Operations fail with a ContractError for paths and links that lead out of the
 * folder and for files that are not regular; other errors are Node's.
 */
export interface FileSystem {
  /**
   * Creates a file; fails with EEXIST if the file exists. In a folder shared by a group, the file is also shared
   * with the group.
   */
  create(path: string, mode?: number): Promise<NewFile>;
  /** Reads a regular file; fails with CONTENT_TOO_LARGE if the file has more than `maxBytes` bytes. */
  readFile(path: string, maxBytes: number): Promise<FileContent>;
  /** Appends to a file, creating it if missing; returns its metadata after the write. */
  append(path: string, bytes: Uint8Array, options?: AppendOptions): Promise<FileStat>;
  /** Overwrites bytes of an existing file. */
  writeAt(path: string, position: number, bytes: Uint8Array): Promise<void>;
  /** Truncates an existing file to a size, durably. */
  truncate(path: string, size: number): Promise<void>;
  /** Sets the modification time of an existing file to now. */
  touch(path: string): Promise<void>;
  /**
   * Returns the metadata of a file, following symbolic links except in the private folder. Does not check
   * where links lead, because every operation that accesses content checks its links itself.
   */
  stat(path: string): Promise<FileStat>;
  /** Returns metadata without following symbolic links. */
  lstat(path: string): Promise<FileStat>;
  /** Checks that a file is writable; fails with EACCES, EPERM or EROFS. */
  requireWritable(path: string): Promise<void>;
  /** Resolves the symbolic links of a path that is about to be written: a linked file is written at its target. */
  resolve(path: string): Promise<ResolvedPath>;
  /** Lists the names in a folder; fails with CONTENT_TOO_LARGE if there are more than `max`. @default 100_000 */
  readdir(path: string, max?: number): Promise<readonly string[]>;
  /** Creates a folder and its missing parents; returns the topmost folder that was created. */
  mkdir(path: string, options?: FolderOptions): Promise<string | undefined>;
  /** Renames a regular file; replaces an existing file or link of the new name without following the link. */
  rename(from: string, to: string): Promise<void>;
  /**
   * Renames a regular file over another file. Returns false and does nothing if the other file has been written or
   * replaced since `found` was read; a change of its hard links or mode is allowed.
   */
  replace(from: string, to: string, found: FileIdentity): Promise<boolean>;
  /** Creates a hard link; fails with EEXIST if a file of this name exists. */
  link(from: string, to: string): Promise<void>;
  /** Removes a file; refuses a name whose form this program never creates. */
  unlink(path: string): Promise<void>;
  /** Removes an empty folder; refuses a name whose form this program never creates. */
  rmdir(path: string): Promise<void>;
  /** Flushes the entries of a folder to the disk (fsync). */
  syncFolder(path: string): Promise<void>;
}

/** The metadata that changes whenever a file is replaced or written. */
export type FileIdentity = Pick<FileStat, "ino" | "dev" | "size" | "mtimeMs" | "ctimeMs">;

/** True if both arguments describe the same file, and neither its content nor its metadata has changed. */
export function isSameFile(a: FileIdentity, b: FileIdentity): boolean {
  return isSameText(a, b) && a.ctimeMs === b.ctimeMs;
}

/** True if both arguments describe the same file with unchanged content; its hard links and mode may have changed. */
export function isSameText(a: FileIdentity, b: FileIdentity): boolean {
  return isSameInode(a, b) && a.size === b.size && a.mtimeMs === b.mtimeMs;
}

/** True if both arguments describe the same file; its content may have changed. */
export function isSameInode(a: Pick<FileStat, "ino" | "dev">, b: Pick<FileStat, "ino" | "dev">): boolean {
  return a.ino === b.ino && a.dev === b.dev;
}
