import { appendFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, rename, rm, stat, truncate, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWorkspaceFiles, type FileSystem, syncCalls } from "@foundry-mcp/toolkit/files";
import type { Edit } from "../../../../files/json-text/edit.ts";
import { editText } from "../../../../files/json-text/edit-text.ts";
import { type Splice, toSplice } from "../../../../files/json-text/splice.ts";
import { hashOf } from "../../spec-file.ts";
import { baseName } from "../history-files.ts";
import { HistoryFolder } from "../history-folder.ts";

const removable = [new RegExp(`.*/${baseName.source}`)];

/** An asynchronous file system for the folders of simulated specs. Servers use a file system of this kind. */
export const asyncFileSystem: FileSystem = createWorkspaceFiles({ root: tmpdir(), removable });

/** A synchronous file system for the folders of simulated specs. */
export const quickFileSystem: FileSystem = createWorkspaceFiles({
  root: tmpdir(),
  removable,
  calls: syncCalls,
});

/** A spec file with its history, and a list of all its past states. */
export class SimulatedSpec {
  readonly folder: string;
  readonly file: string;
  readonly log: string;
  #fs: FileSystem;
  readonly #keep: number;
  /** The texts by revision, including the texts of changes that were recorded but never made. */
  readonly texts = new Map<string, Buffer>();
  /** The revisions that the file had; the oldest revision comes first. */
  readonly past: string[] = [];
  history: HistoryFolder;
  bytes: Buffer;
  #counter = 1;
  /** The maximum size in bytes that the file ever had. */
  largest = 0;
  deltas = 0;

  private constructor(folder: string, bytes: Buffer, keep: number, fs: FileSystem) {
    this.folder = folder;
    this.file = join(folder, "spec.json");
    this.log = join(folder, "history", "spec", "log.jsonl");
    this.bytes = bytes;
    this.#keep = keep;
    this.#fs = fs;
    this.history = this.#open();
    this.#settle(bytes, this.revision);
  }

  static async create(bytes: Buffer, keep: number, fs: FileSystem = quickFileSystem): Promise<SimulatedSpec> {
    const folder = await mkdtemp(join(tmpdir(), "history-"));
    const spec = new SimulatedSpec(folder, bytes, keep, fs);
    await writeFile(spec.file, bytes);
    return spec;
  }

  get revision(): string {
    return `${this.#counter}-${hashOf([this.bytes])}`;
  }

  /** Opens the history as another process would. */
  restart(fs: FileSystem = quickFileSystem): void {
    this.#fs = fs;
    this.history = this.#open();
  }

  async change(edits: readonly Edit[], isMade = true): Promise<string> {
    const { chunks, splices } = editText(this.bytes, edits);
    return this.replace(Buffer.concat(chunks), splices, isMade);
  }

  async replace(after: Buffer, splices: readonly Splice[], isMade = true): Promise<string> {
    const to = `${this.#counter + 1}-${hashOf([after])}`;
    const at = `2026-01-01T00:00:${String(this.#counter % 60).padStart(2, "0")}Z`;
    const step = { from: this.revision, to, at, author: "tester", action: "change", about: ["task-1"] };
    await this.history.record("spec", [{ step, splices }], { file: this.file, bytes: this.bytes });
    this.texts.set(to, after);
    for (const { removed, inserted } of splices) this.deltas += removed.length + inserted.length;
    if (!isMade) return to;
    await writeFile(`${this.file}.new`, after);
    await rename(`${this.file}.new`, this.file);
    this.#counter++;
    this.#settle(after, to);
    return to;
  }

  /** Writes the file as another program would: in place, or as a new file. */
  async editOutside(after: Buffer, isInPlace: boolean): Promise<void> {
    if (after.equals(this.bytes)) return;
    const { removed, inserted } = toSplice(this.bytes, after);
    this.deltas += removed.length + inserted.length;
    const isAlone = (await stat(this.file)).nlink === 1;
    if (isInPlace && isAlone) await writeFile(this.file, after);
    else {
      await writeFile(`${this.file}.new`, after);
      await rename(`${this.file}.new`, this.file);
    }
    // The state in the sidecar counts every recorded change, even if the change was not made.
    this.#counter += 2;
    this.bytes = after;
    this.#settle(after, this.revision);
  }

  /** Removes the end of the log, which simulates a power cut. */
  async loseEnd(bytes: number): Promise<void> {
    const size = (await stat(this.log).catch(() => undefined))?.size;
    if (size !== undefined) await truncate(this.log, Math.max(0, size - bytes));
  }

  /** Writes an incomplete line, which simulates a process that ends during a write. */
  async tear(): Promise<void> {
    if ((await stat(this.log).catch(() => undefined)) !== undefined)
      appendFileSync(this.log, `{"from":"${this.revision}","to":"9`);
  }

  async loseBases(): Promise<void> {
    for (const name of await this.files())
      if (name.startsWith("base-")) await unlink(join(this.log, "..", name));
  }

  async files(): Promise<readonly string[]> {
    return (await readdir(join(this.log, "..")).catch(() => [])).sort();
  }

  async list(): Promise<readonly string[]> {
    const entries = await this.history.list("spec", { revision: this.revision, at: "2026-01-01T01:00:00Z" });
    return entries.map(({ revision }) => revision);
  }

  textAt(revision: string): Promise<Uint8Array | undefined> {
    return this.history.readRevision("spec", revision, { revision: this.revision, bytes: this.bytes });
  }

  /** Returns the disk space that the spec and its history use. */
  async used(): Promise<number> {
    const folder = join(this.log, "..");
    const sizes = new Map<number, number>();
    for (const file of [this.file, ...(await this.files()).map((name) => join(folder, name))]) {
      const { ino, size } = await stat(file);
      sizes.set(ino, size);
    }
    return [...sizes.values()].reduce((sum, size) => sum + size, 0);
  }

  readLog(): Promise<string> {
    return readFile(this.log, "utf8");
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }

  #settle(bytes: Buffer, revision: string): void {
    this.bytes = bytes;
    this.largest = Math.max(this.largest, bytes.length);
    this.texts.set(revision, bytes);
    this.past.push(revision);
  }

  #open(): HistoryFolder {
    return new HistoryFolder(this.#fs, join(this.folder, "history"), this.#keep);
  }
}
