import type { Job } from "./job.ts";

/** The selection of jobs of `JobStorage.list`. */
export interface JobFilter {
  /** Only jobs of this principal. */
  readonly principal?: string | undefined;
  /** Only jobs that have not ended. */
  readonly isRunning?: boolean | undefined;
  /** Only jobs that have expired at this time, in milliseconds since 1970. */
  readonly expiredAt?: number | undefined;
}

/**
 * Stores jobs as JSON values by id. The storage knows nothing of the rules of jobs: `createJobStore` implements the
 * rules once for every storage. A write that has resolved survives a crash if the storage is durable.
 */
export interface JobStorage {
  /** Stores a new job; returns false if the id is taken. */
  create(job: Job): Promise<boolean>;
  read(id: string): Promise<Job | undefined>;
  /** Replaces a job atomically; returns false if its stored version is not `version`, or if it is gone. */
  replace(job: Job, version: number): Promise<boolean>;
  /** Lists jobs, oldest first. */
  list(filter: JobFilter): Promise<readonly Job[]>;
  /** Removes a job; does nothing if it is gone. */
  delete(id: string): Promise<void>;
  /** Calls a listener with the ids of jobs that other processes changed; returns the function that stops this. */
  watch?(listener: (id: string) => void): () => void;
  close?(): Promise<void>;
}
