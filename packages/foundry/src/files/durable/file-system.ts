import type { Stats } from "node:fs";

/** What is known of a file. */
export type FileStat = Pick<
  Stats,
  "size" | "mode" | "mtimeMs" | "ctimeMs" | "ino" | "dev" | "isFile" | "isDirectory" | "isSymbolicLink"
>;

/** A new file that is being written. */
export interface NewFile {
  /** Appends chunks and says how many bytes were taken: it may be fewer. */
  writev(chunks: readonly Uint8Array[]): Promise<number>;
  chmod(mode: number): Promise<void>;
  /** Returns once the disk has the content. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The file operations that stores use; they fail as those of Node do. */
export interface FileSystem {
  /** Makes a file that must not be there yet. */
  create(path: string): Promise<NewFile>;
  readFile(path: string): Promise<Uint8Array>;
  /** Appends to a file, which is made where it is missing; after a power cut the end may be gone. */
  append(path: string, bytes: Uint8Array): Promise<void>;
  /** Of the file that a link leads to. */
  stat(path: string): Promise<FileStat>;
  /** Of the link itself. */
  lstat(path: string): Promise<FileStat>;
  /** Fails with EACCES, EPERM or EROFS where the file may not be written. */
  requireWritable(path: string): Promise<void>;
  /** The path without any link in it. */
  realpath(path: string): Promise<string>;
  readdir(path: string): Promise<readonly string[]>;
  /** Makes a folder and those above it; gives the first that was missing. */
  mkdir(path: string): Promise<string | undefined>;
  rename(from: string, to: string): Promise<void>;
  /** Gives a file a second name, which must be free. */
  link(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Returns once the disk has the names in a folder. */
  syncFolder(path: string): Promise<void>;
}

/** What tells a file from another one, and from itself before it was changed. */
export type FileIdentity = Pick<FileStat, "ino" | "dev" | "size" | "mtimeMs" | "ctimeMs">;

/** True where a file is the one that was seen before, unchanged. */
export function isSameFile(a: FileIdentity, b: FileIdentity): boolean {
  return (
    a.ino === b.ino &&
    a.dev === b.dev &&
    a.size === b.size &&
    a.mtimeMs === b.mtimeMs &&
    a.ctimeMs === b.ctimeMs
  );
}
