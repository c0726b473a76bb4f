import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { unlessMissing } from "@foundry-mcp/toolkit/files";
import { z } from "zod";
import { createFolder } from "../../files/durable/create-folder.ts";
import { toFileError } from "../../files/durable/file-error.ts";
import type { FileSystem } from "../../files/durable/file-system.ts";
import { replaceFile } from "../../files/durable/write-file.ts";
import type { HeldLock } from "../../files/lock/file-lock.ts";
import { requireHeld } from "../../files/lock/lock-failures.ts";
import { type DigestLog, type LogContent, openLog, readLog } from "./digest-log.ts";
import type { ResearchReport } from "./research-report.ts";
import type { SettledRequest } from "./research-request.ts";
import type { ResearchError } from "./research-status.ts";
import type { SourceList } from "./source-list.ts";
import { damaged } from "./state-failures.ts";

/** The form of the files; another one is not read. */
const formVersion = 1;

/** `run.json`: what is asked, by whom, and what stopped it. */
export interface RunFile {
  readonly research_id: string;
  readonly principal: string;
  /** ISO 8601. */
  readonly created_at: string;
  /** Whether it is running, cancelled or completed is told by the lock, the mark and the report beside it. */
  readonly state: "started" | "failed";
  readonly error?: ResearchError | undefined;
  readonly request: SettledRequest;
}

const runSchema = z.looseObject({
  version: z.literal(formVersion),
  research_id: z.string(),
  principal: z.string(),
  created_at: z.string(),
  state: z.enum(["started", "failed"]),
  error: z.looseObject({ code: z.string(), message: z.string() }).optional(),
  request: z.looseObject({
    question: z.string(),
    sources: z.array(z.looseObject({})),
    max_sources: z.int().min(1),
    snippets: z.int().min(1),
  }),
});
const listSchema = z.looseObject({
  version: z.literal(formVersion),
  sources: z.array(z.looseObject({ source_id: z.string(), source: z.looseObject({}) })),
  left_out: z.array(z.looseObject({ name: z.string(), reason: z.string(), error: z.string() })),
  left_out_count: z.int().min(0),
});
const reportSchema = z.looseObject({
  research_id: z.string(),
  findings: z.array(z.looseObject({})),
  sources: z.array(z.looseObject({})),
  counts: z.looseObject({ sources: z.int().min(0) }),
});

/** The files of one research. */
export class RunFolder {
  readonly id: string;
  readonly path: string;
  readonly lockPath: string;
  readonly #fs: FileSystem;
  readonly #root: string;

  constructor(fs: FileSystem, root: string, id: string) {
    this.#fs = fs;
    this.#root = root;
    this.id = id;
    this.path = join(root, id);
    this.lockPath = join(this.path, "run.lock");
  }

  /** Makes the folder, for its owner alone; fails with DUPLICATE_ENTRY where it is there. */
  async create(): Promise<void> {
    try {
      await createFolder(this.#fs, this.#root);
      await mkdir(this.path, { mode: 0o700 });
      await this.#fs.syncFolder(this.#root);
    } catch (err) {
      throw toFileError(err, `create "${this.id}"`, this.id);
    }
  }

  /** Undefined where there is no such research. */
  async readRun(): Promise<RunFile | undefined> {
    return this.#read("run.json", runSchema) as Promise<RunFile | undefined>;
  }

  writeRun(run: RunFile, lock: HeldLock): Promise<void> {
    return this.#write("run.json", { version: formVersion, ...run }, lock);
  }

  /** Undefined until the sources are known. */
  async readSources(): Promise<SourceList | undefined> {
    return this.#read("sources.json", listSchema) as Promise<SourceList | undefined>;
  }

  writeSources(list: SourceList, lock: HeldLock): Promise<void> {
    return this.#write("sources.json", { version: formVersion, ...list }, lock);
  }

  /** What was done so far. */
  async readLog(): Promise<LogContent> {
    const bytes = await this.#bytes("digests.jsonl");
    return readLog(bytes ?? new Uint8Array(), this.#name("digests.jsonl"));
  }

  /** Opens the log to go on behind its last whole line. */
  async openLog(size: number): Promise<DigestLog> {
    const log = await openLog(this.#fs, join(this.path, "digests.jsonl"), this.#name("digests.jsonl"), size);
    await this.#fs.syncFolder(this.path);
    return log;
  }

  /** Undefined until it is completed. */
  async readReport(): Promise<ResearchReport | undefined> {
    return (await this.#read("report.json", reportSchema)) as ResearchReport | undefined;
  }

  writeReport(report: ResearchReport, lock: HeldLock): Promise<void> {
    return this.#write("report.json", report, lock);
  }

  /** True where there is a report, whatever is in it. */
  hasReport(): Promise<boolean> {
    return this.#has("report.json");
  }

  /** Leaves the mark by which whoever runs it knows that it is to stop. */
  markCancelled(): Promise<void> {
    return replaceFile(this.#fs, join(this.path, "cancelled"), [], { root: this.#root });
  }

  isCancelled(): Promise<boolean> {
    return this.#has("cancelled");
  }

  async unmarkCancelled(): Promise<void> {
    await this.#naming("write", "cancelled", unlessMissing(this.#fs.unlink(join(this.path, "cancelled"))));
  }

  /** Removes everything; what makes it a research goes first, so that no half of one is left. */
  async remove(): Promise<void> {
    try {
      await unlessMissing(this.#fs.unlink(join(this.path, "run.json")));
      await this.#fs.syncFolder(this.path);
      await rm(this.path, { recursive: true, force: true });
    } catch (err) {
      throw toFileError(err, `delete "${this.id}"`, this.id);
    }
  }

  async #read(file: string, schema: z.ZodType): Promise<unknown> {
    const bytes = await this.#bytes(file);
    if (bytes === undefined) return undefined;
    let value: unknown;
    try {
      value = JSON.parse(Buffer.from(bytes).toString("utf8"));
    } catch {
      throw damaged(this.#name(file), "it is no JSON");
    }
    const { data } = schema.safeParse(value);
    if (data === undefined) throw damaged(this.#name(file), "it is not as this version writes it");
    return data;
  }

  #bytes(file: string): Promise<Uint8Array | undefined> {
    return this.#naming("read", file, unlessMissing(this.#fs.readFile(join(this.path, file))));
  }

  async #has(file: string): Promise<boolean> {
    const stat = unlessMissing(this.#fs.lstat(join(this.path, file)));
    return (await this.#naming("read", file, stat)) !== undefined;
  }

  #write(file: string, value: unknown, lock: HeldLock): Promise<void> {
    const bytes = Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`);
    const beforeRename = () => requireHeld(lock);
    return replaceFile(this.#fs, join(this.path, file), [bytes], { root: this.#root, beforeRename });
  }

  #name(file: string): string {
    return `${this.id}/${file}`;
  }

  async #naming<T>(deed: string, file: string, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (err) {
      throw toFileError(err, `${deed} "${this.#name(file)}"`, this.#name(file));
    }
  }
}
