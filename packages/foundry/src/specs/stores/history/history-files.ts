import { join } from "node:path";
import { systemErrorCode, unlessMissing } from "@foundry-mcp/toolkit/files";
import type { FileSystem } from "../../../files/durable/file-system.ts";
import { removeStaleTemporaries } from "../../../files/durable/temporary-files.ts";
import { replaceFileUnsynced } from "../../../files/durable/write-file.ts";

/** The file of a spec, and the bytes that are in it. */
export interface SpecFileContent {
  readonly file: string;
  readonly bytes: Uint8Array;
}

const basePattern = /^base-([0-9]+-[0-9a-f]+)\.json$/;
/** What a disk says that has no second names for files, or not for this one. */
const linkUnsupported = ["EPERM", "EACCES", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EXDEV", "EMLINK"];

/** The files of one spec's history: a log of what changed, and whole texts, the bases, that steps can start from. */
export class HistoryFiles {
  readonly #fs: FileSystem;
  readonly #folder: string;
  readonly #log: string;

  constructor(fs: FileSystem, folder: string) {
    this.#fs = fs;
    this.#folder = folder;
    this.#log = join(folder, "log.jsonl");
  }

  /** The revisions whose whole texts are kept, the newest last; makes the folder where it is to be used. */
  async bases(isUsed = false): Promise<readonly string[]> {
    const names = await unlessMissing(this.#fs.readdir(this.#folder));
    if (names === undefined && isUsed) await this.#fs.mkdir(this.#folder);
    // A process that died may have left whole texts that nobody knows.
    if (isUsed && names?.some((name) => name.endsWith(".tmp")))
      await removeStaleTemporaries(this.#fs, this.#folder);
    const bases = (names ?? []).flatMap((name) => basePattern.exec(name)?.[1] ?? []);
    return bases.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  }

  readBase(revision: string): Promise<Uint8Array | undefined> {
    return unlessMissing(this.#fs.readFile(this.#pathOf(revision)));
  }

  /** Keeps the text that a spec has: its file gets a second name, which stays when the first goes to another file. */
  async saveBase(revision: string, { file, bytes }: SpecFileContent): Promise<void> {
    const path = this.#pathOf(revision);
    await unlessMissing(this.#fs.unlink(path));
    try {
      // The second name of a link would lead wherever the link does.
      await this.#fs.link(await this.#fs.realpath(file), path);
    } catch (err) {
      if (!linkUnsupported.includes(systemErrorCode(err))) throw err;
      await replaceFileUnsynced(this.#fs, path, bytes, await this.#modeOf(file));
    }
  }

  /** Removes all bases but one. */
  async dropBases(bases: readonly string[], kept: string): Promise<void> {
    for (const base of bases) if (base !== kept) await unlessMissing(this.#fs.unlink(this.#pathOf(base)));
  }

  async readLog(): Promise<Uint8Array | undefined> {
    return unlessMissing(this.#fs.readFile(this.#log));
  }

  async statLog() {
    return unlessMissing(this.#fs.stat(this.#log));
  }

  async append(text: string): Promise<void> {
    await this.#fs.append(this.#log, Buffer.from(text));
  }

  /** Replaces the log. Whoever may not read the spec may not read the log either. */
  async writeLog(text: string, file: string): Promise<void> {
    await replaceFileUnsynced(this.#fs, this.#log, Buffer.from(text), await this.#modeOf(file));
  }

  async #modeOf(file: string): Promise<number> {
    return (await this.#fs.stat(file)).mode & 0o777;
  }

  #pathOf(revision: string): string {
    return join(this.#folder, `base-${revision}.json`);
  }
}
