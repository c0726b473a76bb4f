import { join } from "node:path";
import { type FileStat, type FileSystem, systemErrorCode, unlessMissing } from "@foundry-mcp/toolkit/files";
import { maxBytes } from "../../model/text-limits.ts";
import { hashOf } from "../spec-file.ts";

/** A text that another program wrote into a file after a change had replaced it. */
export interface LateEdit {
  readonly path: string;
  readonly stat: FileStat;
  readonly text: Uint8Array;
}

/** The form of the names of replaced files: the revision, and when it was written, in microseconds. */
export const replacedName = /replaced-([0-9]+-[0-9a-f]+)-([0-9]+)\.json/;
const pattern = new RegExp(`^${replacedName.source}$`);
/** The error codes for a hard link that cannot be made. */
const linkUnsupported = ["EPERM", "EACCES", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EXDEV", "EMLINK"];
/** The number of replaced files that are kept: a program may have one open for as many changes. */
const maxKept = 4;
/** How long a replaced file is kept at most, once another change is made. */
const maxAgeMs = 10_000;
/** Two writes within this time may leave the same modification time. */
const clockTickMs = 50;

/**
 * The files of one spec that changes have replaced, each under a second name for a while. A program that opened the
 * file before the change and writes it afterwards would otherwise lose its text: it writes into a file without a name.
 */
export class ReplacedFiles {
  readonly #fs: FileSystem;
  readonly #folder: string;

  constructor(fs: FileSystem, folder: string) {
    this.#fs = fs;
    this.#folder = folder;
  }

  /** Gives a file that is about to be replaced a second name; undefined where the disk has no hard links. */
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

  /** Removes the second name of a file that was not replaced after all. */
  async drop(path: string): Promise<void> {
    await unlessMissing(this.#fs.unlink(path));
  }

  /** Finds the files that were written after they were replaced, and removes those that need no watching any more. */
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
      // A text that is no JSON may be half written: it is looked at again with the next change.
      if (text !== undefined && text.length > 0 && (isLast || isJson(text))) edits.push({ path, stat, text });
      else if (isLast) await this.drop(path);
    }
    return edits;
  }

  /** Goes on to watch a file whose late edit has become a revision. */
  async settle({ path, stat }: LateEdit, revision: string): Promise<void> {
    if (Date.now() - stat.ctimeMs > maxAgeMs) await this.drop(path);
    else await this.#fs.rename(path, this.#pathOf(revision, stat));
  }

  /** The text of a file if it is not the one of its revision; undefined if nothing was written. */
  async #readIfWritten(
    path: string,
    name: string,
    stat: FileStat,
    isLast: boolean,
  ): Promise<Uint8Array | undefined> {
    const [, revision = "", writtenAt] = pattern.exec(name) ?? [];
    // The change time is that of the replacement, or of a later write.
    const isCertain = stat.ctimeMs - stat.mtimeMs > clockTickMs;
    // Only the text can tell of a write within one tick of the clock. It is compared once, before the file is dropped.
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
