import type { FileStat } from "./file-system.ts";

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
