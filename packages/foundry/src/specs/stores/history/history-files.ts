import { join } from "node:path";
import { type FileStat, type FileSystem, unlessMissing } from "@foundry-mcp/toolkit/files";
import { removeStaleTemporaries } from "../../../files/durable/temporary-files.ts";
import { replaceFileUnsynced } from "../../../files/durable/write-file.ts";
import { maxBytes } from "../../model/text-limits.ts";

/** The path of a spec file and its content. */
export interface SpecFileContent {
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** The form of the names of bases. */
export const baseName = /base-([0-9]+-[0-9a-f]+)\.json/;
const wholeName = new RegExp(`^${baseName.source}$`);
/** The maximum size of a log, because a log is read as a whole: a larger one is pruned. */
export const maxLogBytes = 256 * 2 ** 20;
/** The maximum size of a log that is read: the last step before it is pruned may be as large as two specs. */
const maxReadBytes = maxLogBytes + 128 * 2 ** 20;

/** The history files of one spec: a log of changes, and bases, which are full texts that steps start from. */
export class HistoryFiles {
  readonly #fs: FileSystem;
  readonly #folder: string;
  readonly #log: string;

  constructor(fs: FileSystem, folder: string) {
    this.#fs = fs;
    this.#folder = folder;
    this.#log = join(folder, "log.jsonl");
  }

  /** The revisions of the bases, newest last; `forWrite` creates and cleans the folder for a write. */
  async bases(forWrite = false): Promise<readonly string[]> {
    const names = await unlessMissing(this.#fs.readdir(this.#folder));
    if (names === undefined && forWrite) await this.#fs.mkdir(this.#folder);
    // A dead process may have left temporary files.
    if (forWrite && names?.some((name) => name.endsWith(".tmp")))
      await removeStaleTemporaries(this.#fs, this.#folder);
    const bases = (names ?? []).flatMap((name) => wholeName.exec(name)?.[1] ?? []);
    return bases.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  }

  async readBase(revision: string): Promise<Uint8Array | undefined> {
    return (await unlessMissing(this.#fs.readFile(this.#pathOf(revision), maxBytes)))?.bytes;
  }

  /** Saves the current text as a base. A copy: a program that has the spec file open could write into a hard link. */
  async saveBase(revision: string, { file, bytes }: SpecFileContent): Promise<void> {
    await replaceFileUnsynced(this.#fs, this.#pathOf(revision), bytes, await this.#modeOf(file));
  }

  /** Removes all bases but one. */
  async dropBases(bases: readonly string[], kept: string): Promise<void> {
    for (const base of bases) if (base !== kept) await unlessMissing(this.#fs.unlink(this.#pathOf(base)));
  }

  async readLog(): Promise<Uint8Array | undefined> {
    return (await unlessMissing(this.#fs.readFile(this.#log, maxReadBytes)))?.bytes;
  }

  async statLog() {
    return unlessMissing(this.#fs.stat(this.#log));
  }

  append(text: string): Promise<FileStat> {
    return this.#fs.append(this.#log, Buffer.from(text));
  }

  /** Replaces the log, with the permissions of the spec file. */
  async writeLog(text: string, file: string): Promise<FileStat | undefined> {
    await replaceFileUnsynced(this.#fs, this.#log, Buffer.from(text), await this.#modeOf(file));
    return this.statLog();
  }

  async #modeOf(file: string): Promise<number> {
    return (await this.#fs.stat(file)).mode & 0o777;
  }

  #pathOf(revision: string): string {
    return join(this.#folder, `base-${revision}.json`);
  }
}
