import { isContractError } from "@foundry-mcp/contract";
import type { ContentArchive } from "@foundry-mcp/toolkit/archive";
import {
  createJobStore,
  createMemoryJobStorage,
  type Job,
  type JobFilter,
  type JobLimits,
  type JobStorage,
  type JobStore,
} from "@foundry-mcp/toolkit/jobs";
import type { StorePurpose } from "../specs/tools/workspace.ts";

/** The stores of a workspace that jobs use. */
export interface JobStores {
  /** Opens the storage of jobs in the store of the specs. For `read`, no store is created. */
  readonly open: (purpose: StorePurpose) => Promise<JobStorage>;
  /** The archive of results that are too large for a job. */
  readonly archive: ContentArchive;
  readonly limits?: JobLimits | undefined;
}

/**
 * Opens the jobs of a workspace. The jobs are stored where the specs of the workspace are stored. The storage is
 * opened on first use, and only a new job creates a store. Without a workspace, jobs are kept in memory.
 */
export function openJobs({ open, archive, limits }: JobStores): JobStore {
  const storage = new LazyJobStorage(open);
  const store = createJobStore(storage, { archive, limits });
  return {
    ...store,
    async create(job, owner) {
      // Before a job is created, the jobs of its principal are listed. This list must not read a store that is
      // missing, so the store is created first.
      await storage.prepare();
      return store.create(job, owner);
    },
  };
}

class LazyJobStorage implements JobStorage {
  readonly #open: JobStores["open"];
  readonly #memory = createMemoryJobStorage();
  readonly #listeners = new Set<(id: string) => void>();
  readonly #watched = new Map<JobStorage, () => void>();
  /**
   * The storage of the first new job. This storage is kept, so that a workspace that is created later hides no
   * running job.
   */
  #kept: Promise<JobStorage> | undefined;

  constructor(open: JobStores["open"]) {
    this.#open = open;
  }

  /** Opens the storage for a new job, and creates its store if necessary. */
  prepare(): Promise<JobStorage> {
    const storage = this.#kept ?? this.#find("write");
    this.#kept = storage;
    storage.catch(() => {
      // After a failure, the next job tries again.
      if (this.#kept === storage) this.#kept = undefined;
    });
    return storage;
  }

  async create(job: Job): Promise<boolean> {
    return (await this.prepare()).create(job);
  }

  async read(id: string): Promise<Job | undefined> {
    return (await this.#current()).read(id);
  }

  async replace(job: Job, version: number): Promise<boolean> {
    return (await this.#current()).replace(job, version);
  }

  async list(filter: JobFilter): Promise<readonly Job[]> {
    return (await this.#current()).list(filter);
  }

  async delete(id: string): Promise<void> {
    await (await this.#current()).delete(id);
  }

  /** Watches each storage from its first use. */
  watch(listener: (id: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Stops watching. The workspace closes the storages. */
  async close(): Promise<void> {
    for (const stop of this.#watched.values()) stop();
    this.#watched.clear();
  }

  #current(): Promise<JobStorage> {
    return this.#kept ?? this.#find("read");
  }

  async #find(purpose: StorePurpose): Promise<JobStorage> {
    try {
      const storage = await this.#open(purpose);
      this.#startWatching(storage);
      return storage;
    } catch (thrown) {
      // There is no workspace, but tools that need no workspace may run for a long time.
      if (isContractError(thrown) && thrown.code === "NOT_FOUND") return this.#memory;
      throw thrown;
    }
  }

  #startWatching(storage: JobStorage): void {
    if (this.#watched.has(storage)) return;
    const stop = storage.watch?.((id) => {
      for (const listener of this.#listeners) listener(id);
    });
    this.#watched.set(storage, stop ?? (() => {}));
  }
}
