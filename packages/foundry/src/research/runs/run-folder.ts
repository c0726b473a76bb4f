import { randomBytes } from "node:crypto";
import { basename, join } from "node:path";
import { parseJsonText } from "@foundry-mcp/contract/input";
import {
  createOwnFiles,
  type FileSystem,
  parseTemporaryName,
  systemErrorCode,
  toFileError,
  unlessMissing,
} from "@foundry-mcp/toolkit/files";
import { z } from "zod";
import { createFolder } from "../../files/durable/create-folder.ts";
import { replaceFile } from "../../files/durable/write-file.ts";
import type { HeldLock } from "../../files/lock/file-lock.ts";
import { requireHeld } from "../../files/lock/lock-failures.ts";
import { lockNames } from "../../files/lock/lock-names.ts";
import { type DigestLog, type LogContent, openDigestLog, parseDigestLog } from "./digest-log.ts";
import type { ResearchReport } from "./research-report.ts";
import type { ResolvedRequest } from "./research-request.ts";
import type { ResearchError } from "./research-status.ts";
import { corruptFile } from "./run-errors.ts";
import type { SourceList } from "./source-list.ts";

/** The version of the file format. Other versions are refused. */
const formatVersion = 1;

/** The content of `run.json`: the request, its principal, and the error that ended the run. */
export interface RunFile {
  readonly research_id: string;
  readonly principal: string;
  /** The time at which the run was created, in ISO 8601. */
  readonly created_at: string;
  /**
   * The part of the state that is stored. Whether the run is running, cancelled or completed follows from the files
   * run.lock, cancelled and report.json.
   */
  readonly state: "started" | "failed";
  readonly error?: ResearchError | undefined;
  readonly request: ResolvedRequest;
}

const runSchema = z.looseObject({
  version: z.literal(formatVersion),
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
  version: z.literal(formatVersion),
  sources: z.array(z.looseObject({ source_id: z.string(), source: z.looseObject({}) })),
  left_out: z.array(z.looseObject({ name: z.string(), reason: z.string(), error: z.string() })),
  left_out_count: z.int().min(0),
});
const reportSchema = z.looseObject({
  research_id: z.string(),
  findings: z.array(z.looseObject({ id: z.string() })),
  sources: z.array(z.looseObject({})),
  counts: z.looseObject({ sources: z.int().min(0) }),
});

/**
 * Adds the members that a report of an older version lacks. All findings form one theme, and the confidence is an
 * assumption, because older versions did not measure it.
 */
function withLaterMembers(report: ResearchReport): ResearchReport {
  const { findings } = report;
  const themes = findings.length === 0 ? [] : [{ title: "Findings", findings: findings.map(({ id }) => id) }];
  const confidence = findings.length === 0 ? "none" : "weak";
  const later = { confidence, themes, disagreements: [], not_found: [] } as const;
  // A small token budget keeps the first members of a report, so the members of the stored report stay first.
  return { ...report, ...later, ...report };
}

/** The maximum size of a file of a run. A thousand sources with their quotes take a fifth of this size. */
const maxFileBytes = 128 * 2 ** 20;

/** The folder of all runs. */
export interface RunsFolder {
  readonly folder: string;
  /**
   * An ancestor folder that is not trusted: no folder from there down to `folder` may be a symbolic link.
   * @default the folder itself
   */
  readonly within?: string | undefined;
  /** Symbolic links in the path `within` must not lead out of this folder. @default none: links may lead anywhere */
  readonly boundary?: string | undefined;
}

const idForm = "research-\\d{8}-[0-9a-f]{6}";
/**
 * The files of a run, in the order in which they are removed. The file run.json is removed first, because a folder
 * without this file is not a run.
 */
const ownFiles = ["run.json", "sources.json", "digests.jsonl", "report.json", "cancelled"] as const;

/**
 * Creates the file operations for the folder of all runs. These operations can only remove files that runs create.
 */
export function createRunFiles({ folder, within, boundary }: RunsFolder): FileSystem {
  const removable = [...ownFiles.map((name) => `${idForm}/${name.replace(".", "\\.")}`), idForm];
  return createOwnFiles({
    folder,
    within,
    boundary,
    removable: [...removable, `${idForm}/${lockNames("").source}`],
  });
}

/** The folder of one research run. */
export class RunFolder {
  readonly id: string;
  readonly path: string;
  readonly lockPath: string;
  readonly fs: FileSystem;
  readonly #root: string;

  constructor(fs: FileSystem, root: string, id: string) {
    this.fs = fs;
    this.#root = root;
    this.id = id;
    this.path = join(root, id);
    this.lockPath = join(this.path, "run.lock");
  }

  /** Creates the folder, which only its owner can access. Fails with DUPLICATE_ENTRY if the folder exists. */
  async create(): Promise<void> {
    try {
      await createFolder(this.fs, this.#root);
      await this.fs.mkdir(this.path, { mode: 0o700, exclusive: true });
      await this.fs.syncFolder(this.#root);
    } catch (err) {
      throw toFileError(err, `create "${this.id}"`, this.id);
    }
  }

  /** Reads run.json. Returns undefined if there is no such run. */
  async readRun(): Promise<RunFile | undefined> {
    return this.#read("run.json", runSchema) as Promise<RunFile | undefined>;
  }

  writeRun(run: RunFile, lock: HeldLock): Promise<void> {
    return this.#write("run.json", { version: formatVersion, ...run }, lock);
  }

  /** Reads the list of sources. Returns undefined until the sources are listed. */
  async readSources(): Promise<SourceList | undefined> {
    return this.#read("sources.json", listSchema) as Promise<SourceList | undefined>;
  }

  writeSources(list: SourceList, lock: HeldLock): Promise<void> {
    return this.#write("sources.json", { version: formatVersion, ...list }, lock);
  }

  /** Reads the records of the sources processed so far. */
  async readLog(): Promise<LogContent> {
    const bytes = await this.#bytes("digests.jsonl");
    return parseDigestLog(bytes ?? new Uint8Array(), this.#name("digests.jsonl"));
  }

  /** Opens the log for appending after its last complete line. */
  async openLog(size: number): Promise<DigestLog> {
    const log = await openDigestLog(this.fs, this.#path("digests.jsonl"), this.#name("digests.jsonl"), size);
    await this.fs.syncFolder(this.path);
    return log;
  }

  /** Reads the report. Returns undefined until the run is completed. */
  async readReport(): Promise<ResearchReport | undefined> {
    const report = await this.#read("report.json", reportSchema);
    return report === undefined ? undefined : withLaterMembers(report as ResearchReport);
  }

  writeReport(report: ResearchReport, lock: HeldLock): Promise<void> {
    return this.#write("report.json", report, lock);
  }

  /** Returns true if a report exists, even if it is invalid. */
  hasReport(): Promise<boolean> {
    return this.#has("report.json");
  }

  /** Creates the file `cancelled`, which makes the process that executes the run stop. */
  markCancelled(): Promise<void> {
    return replaceFile(this.fs, this.#path("cancelled"), [], { root: this.#root });
  }

  isCancelled(): Promise<boolean> {
    return this.#has("cancelled");
  }

  async unmarkCancelled(): Promise<void> {
    const unlinked = unlessMissing(this.fs.unlink(this.#path("cancelled")));
    await this.#withFileErrors("write", "cancelled", unlinked);
  }

  /** Removes the files of the run, and then its folder if the folder is empty. */
  async remove(): Promise<void> {
    try {
      await unlessMissing(this.fs.unlink(this.#path(ownFiles[0])));
      await unlessMissing(this.fs.syncFolder(this.path));
      const isOwn = (name: string) =>
        parseTemporaryName(name) !== undefined ||
        [...ownFiles, basename(this.lockPath)].some((own) => own === name);
      const names = (await unlessMissing(this.fs.readdir(this.path))) ?? [];
      for (const name of names.filter(isOwn)) await unlessMissing(this.fs.unlink(this.#path(name)));
      await this.fs.rmdir(this.path).catch((err: unknown) => {
        if (!["ENOENT", "ENOTEMPTY", "EEXIST"].includes(systemErrorCode(err))) throw err;
      });
    } catch (err) {
      throw toFileError(err, `delete "${this.id}"`, this.id);
    }
  }

  async #read(file: string, schema: z.ZodType): Promise<unknown> {
    const bytes = await this.#bytes(file);
    if (bytes === undefined) return undefined;
    let value: unknown;
    try {
      value = parseJsonText(Buffer.from(bytes).toString("utf8"));
    } catch {
      throw corruptFile(this.#name(file), "it is no JSON");
    }
    const { data } = schema.safeParse(value);
    if (data === undefined) throw corruptFile(this.#name(file), "it is not as this version writes it");
    return data;
  }

  async #bytes(file: string): Promise<Uint8Array | undefined> {
    const read = unlessMissing(this.fs.readFile(this.#path(file), maxFileBytes));
    return (await this.#withFileErrors("read", file, read))?.bytes;
  }

  async #has(file: string): Promise<boolean> {
    const stat = unlessMissing(this.fs.lstat(this.#path(file)));
    return (await this.#withFileErrors("read", file, stat)) !== undefined;
  }

  #write(file: string, value: unknown, lock: HeldLock): Promise<void> {
    const bytes = Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`);
    const beforeRename = () => requireHeld(lock);
    return replaceFile(this.fs, this.#path(file), [bytes], { root: this.#root, beforeRename });
  }

  #path(file: string): string {
    return join(this.path, file);
  }

  #name(file: string): string {
    return `${this.id}/${file}`;
  }

  async #withFileErrors<T>(action: string, file: string, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (err) {
      throw toFileError(err, `${action} "${this.#name(file)}"`, this.#name(file));
    }
  }
}

const idPattern = new RegExp(`^${idForm}$`);

/** Creates an id with the date and six random digits, such as `research-20261116-3f9a2c`. */
export function newResearchId(now: Date): string {
  return `research-${now.toISOString().slice(0, 10).replaceAll("-", "")}-${randomBytes(3).toString("hex")}`;
}

/** Returns true for a valid id. An id is a folder name, so a text that could be a path is not valid. */
export function isResearchId(id: unknown): id is string {
  return typeof id === "string" && idPattern.test(id);
}
