import { readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";

/** The files of a cache folder that may be removed. */
export interface RemovableFiles {
  /** @default any beginning */
  readonly beginning?: string;
  readonly ending: string;
  /** The number of files to keep. */
  readonly keep: number;
  /** A file that is kept in addition. */
  readonly except: string;
}

/** The age in milliseconds from which the time of the last use is stored again. */
const useMs = 3_600_000;

/** Removes the files of a user's cache folder that were not used for longest. */
export function removeUnused(folder: string, { beginning = "", ending, keep, except }: RemovableFiles): void {
  const names = readdirSync(folder).filter(
    (name) => name.startsWith(beginning) && name.endsWith(ending) && name !== except,
  );
  if (names.length <= keep) return;
  const usedAt = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const files = names.map((name) => ({ name, at: usedAt(name) })).sort((a, b) => b.at - a.at);
  for (const { name } of files.slice(keep)) rmSync(join(folder, name), { force: true });
}

/** Stores the time of use as the time of a cache file. `mtimeMs` is the stored time of its last use. */
export function markUsed(file: string, mtimeMs: number): void {
  const now = Date.now();
  if (now - mtimeMs < useMs) return;
  try {
    utimesSync(file, now / 1_000, now / 1_000);
  } catch {
    // Another process has removed the file. The file is written again when a command needs it.
  }
}
