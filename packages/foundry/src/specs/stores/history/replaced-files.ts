import { join } from "node:path";
import { type FileStat, type FileSystem, systemErrorCode, unlessMissing } from "@foundry-mcp/toolkit/files";
import { maxBytes } from "../../model/text-limits.ts";
import { hashOf } from "../spec-file.ts";

/** A text that another program wrote to a file after a change had replaced the file. */
export interface LateEdit {
  readonly path: string;
  readonly stat: FileStat;
  readonly text: Uint8Array;
}

/**
 * Matches the names of replaced files. The name contains the revision and the time of its last write in
 * microseconds.
 */
export const replacedName = /replaced-([0-9]+-[0-9a-f]+)-([0-9]+)\.json/;
const pattern = new RegExp(`^${replacedName.source}$`);
/** The error codes for a hard link that cannot be created. */
const linkUnsupported = ["EPERM", "EACCES", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EXDEV", "EMLINK"];
/**
 * The number of replaced files to keep. Edits of a program are recorded if no more than this number of
 * changes happen while it has the file open.
 */
const maxKept = 4;
/** The maximum age of a replaced file in milliseconds. The next change removes older files. */
const maxAgeMs = 10_000;
/** Two writes within this time, in milliseconds, may leave the same modification time. */
const clockTickMs = 50;

/**
 * The files of one spec that changes have replaced. Each file keeps a second name for some time. A program
 * may open the spec file before a change and write to it after the change; without the second name, this text
 * would be lost.
 */
export class ReplacedFiles {
  readonly #fs: FileSystem;
  readonly #folder: string;

  constructor(fs: FileSystem, folder: string) {
    this.#fs = fs;
    this.#folder = folder;
  }

  /**
   * Gives a second name to a file that is going to be replaced. Returns undefined if the disk does not
   * support hard links.
   */
  async keep(revision: string, file: string, stat: FileStat): Promise<string | undefined> {
    const path = this.#pathOf(revision, stat);
    await unlessMissing(this.#fs.unlink(path));
    try {
      await this.#fs.link(file, path);
      return path;
    } catch (err) {
      if (linkUnsupported.includes(systemErrorCode(err))) return undefined;
      throw err;
    }
  }

  /** Removes the second name of a file that was not replaced. */
  async drop(path: string): Promise<void> {
    await unlessMissing(this.#fs.unlink(path));
  }

  /**
   * Finds the files that other programs changed after the replacement, and removes files that need no further
   * check.
   */
  async findLateEdits(): Promise<readonly LateEdit[]> {
    const names = ((await unlessMissing(this.#fs.readdir(this.#folder))) ?? [])
      .filter((name) => pattern.test(name))
      .sort((a, b) => Number.parseInt(b.slice(9), 10) - Number.parseInt(a.slice(9), 10));
    const edits: LateEdit[] = [];
    for (const [index, name] of names.entries()) {
      const path = join(this.#folder, name);
      const stat = await unlessMissing(this.#fs.lstat(path));
      if (stat === undefined) continue;
      const isLast = index >= maxKept || Date.now() - stat.ctimeMs > maxAgeMs;
      const text = await this.#readIfWritten(path, name, stat, isLast);
      // A text that is not JSON may be incomplete. An incomplete text is checked again at the next change.
      if (text !== undefined && text.length > 0 && (isLast || isJson(text))) edits.push({ path, stat, text });
      else if (isLast) await this.drop(path);
    }
    return edits;
  }

  /**
   * Handles a file whose late edit was recorded as a revision. An old file is removed; any other file is kept
   * for further checks.
   */
  async settle({ path, stat }: LateEdit, revision: string): Promise<void> {
    if (Date.now() - stat.ctimeMs > maxAgeMs) await this.drop(path);
    else await this.#fs.rename(path, this.#pathOf(revision, stat));
  }

  /**
   * Returns the text of a file if it differs from the text of its revision; undefined if no other program
   * wrote to the file.
   */
  async #readIfWritten(
    path: string,
    name: string,
    stat: FileStat,
    isLast: boolean,
  ): Promise<Uint8Array | undefined> {
    const [, revision = "", writtenAt] = pattern.exec(name) ?? [];
    // The change time of the inode is the time of the replacement or of a later write.
    const isCertain = stat.ctimeMs - stat.mtimeMs > clockTickMs;
    // Two writes within one tick of the clock can only be distinguished by their texts. The text is compared
    // once, before the file is dropped.
    if (writtenAt === toMicroseconds(stat) && (isCertain || !isLast)) return undefined;
    const text = (await unlessMissing(this.#fs.readFile(path, maxBytes)))?.bytes;
    return text === undefined || revision.endsWith(`-${hashOf([text])}`) ? undefined : text;
  }

  #pathOf(revision: string, stat: FileStat): string {
    return join(this.#folder, `replaced-${revision}-${toMicroseconds(stat)}.json`);
  }
}

function toMicroseconds({ mtimeMs }: FileStat): string {
  return String(Math.max(0, Math.trunc(mtimeMs * 1_000)));
}

function isJson(text: Uint8Array): boolean {
  try {
    JSON.parse(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString());
    return true;
  } catch {
    return false;
  }
}
