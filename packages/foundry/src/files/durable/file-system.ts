import type { Stats } from "node:fs";

/** The metadata of a file. */
export type FileStat = Pick<
  Stats,
  "size" | "mode" | "mtimeMs" | "ctimeMs" | "ino" | "dev" | "isFile" | "isDirectory" | "isSymbolicLink"
>;

/** A new file that is being written. */
export interface NewFile {
  /** Appends chunks and returns the number of bytes written, which may be fewer than given. */
  writev(chunks: readonly Uint8Array[]): Promise<number>;
  chmod(mode: number): Promise<void>;
  /** Flushes the content to the disk (fsync). */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The file operations that stores use; errors are those of Node. */
export interface FileSystem {
  /** Creates a file; fails with EEXIST if it exists. */
  create(path: string): Promise<NewFile>;
  readFile(path: string): Promise<Uint8Array>;
  /** Appends to a file, creating it if missing. Not synced: a power loss may truncate the end. */
  append(path: string, bytes: Uint8Array): Promise<void>;
  /** Follows symbolic links. */
  stat(path: string): Promise<FileStat>;
  /** Does not follow symbolic links. */
  lstat(path: string): Promise<FileStat>;
  /** Fails with EACCES, EPERM or EROFS if the file is not writable. */
  requireWritable(path: string): Promise<void>;
  /** The path with all symbolic links resolved. */
  realpath(path: string): Promise<string>;
  readdir(path: string): Promise<readonly string[]>;
  /** Creates a folder and its missing parents; returns the topmost folder that was created. */
  mkdir(path: string): Promise<string | undefined>;
  rename(from: string, to: string): Promise<void>;
  /** Creates a hard link; fails with EEXIST if the name is taken. */
  link(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Flushes the entries of a folder to the disk (fsync). */
  syncFolder(path: string): Promise<void>;
}

/** The metadata that changes whenever a file is replaced or written. */
export type FileIdentity = Pick<FileStat, "ino" | "dev" | "size" | "mtimeMs" | "ctimeMs">;

/** True if both describe the same file with unchanged content. */
export function isSameFile(a: FileIdentity, b: FileIdentity): boolean {
  return (
    a.ino === b.ino &&
    a.dev === b.dev &&
    a.size === b.size &&
    a.mtimeMs === b.mtimeMs &&
    a.ctimeMs === b.ctimeMs
  );
}
