import { isContractError } from "@foundry-mcp/contract";
import { toFileError, unlessMissing } from "@foundry-mcp/toolkit/files";
import { hasEnded, isJobId, type Job, type JobFilter, type JobStorage } from "@foundry-mcp/toolkit/jobs";
import { createFolder } from "../files/durable/create-folder.ts";
import { removeStaleTemporaries } from "../files/durable/temporary-files.ts";
import { createFile, replaceFile } from "../files/durable/write-file.ts";
import { acquireLock, type HeldLock } from "../files/lock/file-lock.ts";
import { requireHeld } from "../files/lock/lock-failures.ts";
import { removeStaleLocks } from "../files/lock/stale-locks.ts";
import { JobFolder, type JobFolderOptions } from "./job-folder.ts";
import { maxJobBytes, parseJob, toJobText } from "./stored-job.ts";

/**
 * Creates a storage of jobs in files, with one file for each job. Any number of processes may use one folder. A job
 * is replaced under its lock, and is read without a lock. A read creates nothing.
 */
export function createFileJobStorage(options: JobFolderOptions): JobStorage {
  return new FileJobStorage(new JobFolder(options));
}

/**
 * The properties of a job that lists use to select jobs. These properties never change, except that a running job
 * ends once.
 */
interface JobFacts {
  readonly principal: string;
  readonly hasEnded: boolean;
  readonly expiresAt: number;
}

/** The failures of a file that another program has written. A list leaves out such a file. */
const damages: readonly string[] = ["INVALID_FORMAT", "INVALID_PATH", "CONTENT_TOO_LARGE"];

class FileJobStorage implements JobStorage {
  readonly #folder: JobFolder;
  #facts: ReadonlyMap<string, JobFacts> = new Map();
  #tidied: Promise<void> | undefined;

  constructor(folder: JobFolder) {
    this.#folder = folder;
  }

  async create(job: Job): Promise<boolean> {
    const { fs, path, root } = this.#folder;
    await this.#withFileErrors("create", job.id, () => createFolder(fs, path, { mode: 0o700 }));
    this.#tidied ??= this.#tidy();
    await this.#tidied;
    try {
      await createFile(fs, this.#folder.jobPath(job.id), [Buffer.from(toJobText(job))], { root });
      return true;
    } catch (thrown) {
      if (isContractError(thrown) && thrown.code === "DUPLICATE_ENTRY") return false;
      throw thrown;
    }
  }

  async read(id: string): Promise<Job | undefined> {
    if (!isJobId(id)) return undefined;
    const file = await this.#withFileErrors("read", id, () =>
      unlessMissing(this.#folder.fs.readFile(this.#folder.jobPath(id), maxJobBytes)),
    );
    return file === undefined ? undefined : parseJob(file.bytes.toString(), id);
  }

  async replace(job: Job, version: number): Promise<boolean> {
    const text = toJobText(job);
    const isReplaced = await this.#withLock(job.id, async (lock) => {
      if ((await this.read(job.id))?.version !== version) return false;
      const { fs, root } = this.#folder;
      await replaceFile(fs, this.#folder.jobPath(job.id), [Buffer.from(text)], {
        root,
        beforeRename: () => requireHeld(lock),
      });
      return true;
    });
    return isReplaced ?? false;
  }

  async list({ principal, isRunning, expiredAt }: JobFilter): Promise<readonly Job[]> {
    const isWanted = (facts: JobFacts) =>
      (principal === undefined || facts.principal === principal) &&
      (isRunning !== true || !facts.hasEnded) &&
      (expiredAt === undefined || facts.expiresAt <= expiredAt);
    const seen = new Map<string, JobFacts>();
    const jobs: Job[] = [];
    for (const id of await this.#ids()) {
      const known = this.#facts.get(id);
      if (known !== undefined) seen.set(id, known);
      // The file of a job that is not wanted is not read again, because the properties of a job do not change, except
      // that a running job ends once.
      if (known !== undefined && !isWanted(known)) continue;
      const job = await this.#readSound(id);
      if (job === undefined) continue;
      const facts = toFacts(job);
      seen.set(id, facts);
      if (isWanted(facts)) jobs.push(job);
    }
    this.#facts = seen;
    return jobs.toSorted((a, b) => compare(a.createdAt, b.createdAt) || compare(a.id, b.id));
  }

  async delete(id: string): Promise<void> {
    if (!isJobId(id)) return;
    await this.#withLock(id, async (lock) => {
      await requireHeld(lock);
      await this.#withFileErrors("remove", id, () =>
        unlessMissing(this.#folder.fs.unlink(this.#folder.jobPath(id))),
      );
    });
  }

  async #ids(): Promise<readonly string[]> {
    try {
      const names = (await unlessMissing(this.#folder.fs.readdir(this.#folder.path))) ?? [];
      return names.flatMap((name) => this.#folder.toIds(name));
    } catch (thrown) {
      throw toFileError(thrown, "list the jobs", "jobs");
    }
  }

  /**
   * Reads a job for a list. The list leaves out damaged jobs, so that one damaged file does not hide the other jobs.
   */
  async #readSound(id: string): Promise<Job | undefined> {
    try {
      return await this.read(id);
    } catch (thrown) {
      if (isContractError(thrown) && damages.includes(thrown.code)) return undefined;
      throw thrown;
    }
  }

  /**
   * Runs work under the lock of a job. Returns undefined if there is no such job. In this case, no lock file is
   * created.
   */
  async #withLock<T>(id: string, work: (lock: HeldLock) => Promise<T>): Promise<T | undefined> {
    const { fs } = this.#folder;
    if (!isJobId(id)) return undefined;
    const found = await this.#withFileErrors("find", id, () =>
      unlessMissing(fs.lstat(this.#folder.jobPath(id))),
    );
    if (found === undefined) return undefined;
    const lock = await acquireLock(fs, this.#folder.lockPath(id), { purpose: "change a job" });
    try {
      return await work(lock);
    } finally {
      await lock.release();
    }
  }

  /** Removes the files that crashed processes left behind. */
  async #tidy(): Promise<void> {
    const { fs, path, locksPath } = this.#folder;
    // A failure does not concern the caller, and the next process tries again.
    await removeStaleTemporaries(fs, path).catch(() => {});
    await removeStaleLocks(fs, locksPath).catch(() => {});
  }

  async #withFileErrors<T>(verb: string, id: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      throw toFileError(thrown, `${verb} the job ${id}`, `${id}.json`);
    }
  }
}

function toFacts(job: Job): JobFacts {
  const { principal, createdAt, ttlMs } = job;
  return { principal, hasEnded: hasEnded(job), expiresAt: Date.parse(createdAt) + ttlMs };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
