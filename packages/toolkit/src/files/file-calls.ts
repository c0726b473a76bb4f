import type { Stats } from "node:fs";

/**
 * The system calls on which guarded file access is built; the calls fail with the errors of Node. Open files are
 * identified by descriptors.
 */
export interface FileCalls {
  open(path: string, flags: number, mode?: number): Promise<number>;
  close(file: number): Promise<void>;
  fstat(file: number): Promise<Stats>;
  /** Reads at the current position into the buffer from `offset` on; returns the number of bytes, 0 at the end. */
  read(file: number, buffer: Uint8Array, offset: number): Promise<number>;
  writev(file: number, chunks: readonly Uint8Array[]): Promise<number>;
  /** Writes at a position, or at the current position if `position` is null; returns the number of bytes written. */
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
  /** Lists at most `max` names in a folder. */
  readNames(path: string, max: number): Promise<readonly string[]>;
  mkdir(path: string, mode?: number): Promise<void>;
  /** Creates a folder and its missing parents; returns the topmost folder that was created. */
  mkdirAll(path: string, mode?: number): Promise<string | undefined>;
  rename(from: string, to: string): Promise<void>;
  /** Renames a file over another file; returns false if the other file is missing or not the expected file. */
  renameOver(from: string, to: string, isExpected: (stat: Stats) => boolean): Promise<boolean>;
  link(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  rmdir(path: string): Promise<void>;
}
