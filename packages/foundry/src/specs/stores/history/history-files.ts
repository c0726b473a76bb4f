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

/** Matches the names of base files. */
export const baseName = /base-([0-9]+-[0-9a-f]+)\.json/;
const wholeName = new RegExp(`^${baseName.source}$`);
/** The maximum size of a log in bytes. A larger log is pruned, because logs are read as a whole. */
export const maxLogBytes = 256 * 2 ** 20;
/**
 * The maximum size of a log that is read, in bytes. The last step before pruning may add as much as two
 * specs.
 */
const maxReadBytes = maxLogBytes + 128 * 2 ** 20;

/**
 * The history files of one spec: a log of changes, and the bases. A base is the full text of the revision at
 * which the steps of the log start.
 */
export class HistoryFiles {
  readonly #fs: FileSystem;
  readonly #folder: string;
  readonly #log: string;

  constructor(fs: FileSystem, folder: string) {
    this.#fs = fs;
    this.#folder = folder;
    this.#log = join(folder, "log.jsonl");
  }

  /**
   * Returns the revisions of the bases; the newest base is the last. `forWrite` creates the folder and
   * removes old temporary files before a write.
   */
  async bases(forWrite = false): Promise<readonly string[]> {
    const names = await unlessMissing(this.#fs.readdir(this.#folder));
    if (names === undefined && forWrite) await this.#fs.mkdir(this.#folder);
    // A process that has ended may have left temporary files.
    if (forWrite && names?.some((name) => name.endsWith(".tmp")))
      await removeStaleTemporaries(this.#fs, this.#folder);
    const bases = (names ?? []).flatMap((name) => wholeName.exec(name)?.[1] ?? []);
    return bases.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  }

  async readBase(revision: string): Promise<Uint8Array | undefined> {
    return (await unlessMissing(this.#fs.readFile(this.#pathOf(revision), maxBytes)))?.bytes;
  }

  /**
   * Saves a copy of the current text as a base. A hard link would be unsafe, because a program that has the
   * spec file open could still write to it.
   */
  async saveBase(revision: string, { file, bytes }: SpecFileContent): Promise<void> {
    await replaceFileUnsynced(this.#fs, this.#pathOf(revision), bytes, await this.#modeOf(file));
  }

  /** Removes all bases except one. */
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

  /** Replaces the log. The new log has the permissions of the spec file. */
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
