import type { Stats } from "node:fs";

/** The system calls that guarded file access is made of; errors are those of Node. Files are named by descriptors. */
export interface FileCalls {
  open(path: string, flags: number, mode?: number): Promise<number>;
  close(file: number): Promise<void>;
  fstat(file: number): Promise<Stats>;
  /** Reads at the current position into the buffer from `offset` on; returns the number of bytes, 0 at the end. */
  read(file: number, buffer: Uint8Array, offset: number): Promise<number>;
  writev(file: number, chunks: readonly Uint8Array[]): Promise<number>;
  /** Writes at a position, or at the current one if it is null; returns the number of bytes written. */
  write(file: number, bytes: Uint8Array, position: number | null): Promise<number>;
  fchmod(file: number, mode: number): Promise<void>;
  fchown(file: number, uid: number, gid: number): Promise<void>;
  ftruncate(file: number, size: number): Promise<void>;
  futimes(file: number, accessed: Date, modified: Date): Promise<void>;
  fsync(file: number): Promise<void>;
  stat(path: string): Promise<Stats>;
  lstat(path: string): Promise<Stats>;
  access(path: string, mode: number): Promise<void>;
  realpath(path: string): Promise<string>;
  /** Lists the names in a folder, and stops after `max`. */
  readNames(path: string, max: number): Promise<readonly string[]>;
  mkdir(path: string, mode?: number): Promise<void>;
  /** Creates a folder and its missing parents; returns the topmost folder that was created. */
  mkdirAll(path: string, mode?: number): Promise<string | undefined>;
  rename(from: string, to: string): Promise<void>;
  /** Renames a file over another one if that is the expected one; false if it is not, or is missing. */
  renameOver(from: string, to: string, isExpected: (stat: Stats) => boolean): Promise<boolean>;
  link(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  rmdir(path: string): Promise<void>;
}
