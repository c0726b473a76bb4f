import type { AskRequest } from "../context/ask.ts";
import type { Job, JobCall, JobEnding, JobQuestion } from "./job.ts";
import type { ResolvedJobLimits } from "./job-limits.ts";

/** A job to create. */
export interface NewJob {
  readonly principal: string;
  readonly call: JobCall;
  /** True if the action may run again after it was interrupted. */
  readonly isRepeatable: boolean;
  /** The questions that were answered before the job was created. @default none */
  readonly answered?: readonly JobQuestion[] | undefined;
  /** The time to live that the client asks for; the limit of the store is the maximum. */
  readonly ttlMs?: number | undefined;
}

/** The right of a process to run and to change a job. */
export interface JobLease {
  readonly id: string;
  readonly owner: string;
  /** The fencing token of the lease. */
  readonly token: number;
}

/** A job that a process may run. */
export interface LeasedJob {
  readonly job: Job;
  readonly lease: JobLease;
}

/**
 * The store of jobs, with the rules of jobs: who may see a job, who may run it, and how it ends. The methods with a
 * principal fail with JOB_NOT_FOUND for a job of another principal, as for a job that does not exist. The methods
 * with a lease return undefined if the lease is lost, the job has ended or it has expired: the process must then stop.
 */
export interface JobStore {
  readonly limits: ResolvedJobLimits;
  /** Creates a job with a lease of its creator; fails with RESOURCE_EXHAUSTED above the limits of the principal. */
  create(job: NewJob, owner: string): Promise<LeasedJob>;
  /** Returns a job, with its result if it has completed. */
  get(principal: string, id: unknown): Promise<Job>;
  /** Lists the jobs of a principal, newest first; archived results are not read. */
  list(principal: string): Promise<readonly Job[]>;
  /** Stores answers to the open questions of a job; ignores answers to other questions. */
  answer(principal: string, id: unknown, answers: Readonly<Record<string, unknown>>): Promise<Job>;
  /** Cancels a job; does nothing if the job has ended. */
  cancel(principal: string, id: unknown): Promise<Job>;
  /**
   * Takes the lease of a job that nobody runs and whose questions are answered. A job that must not run again fails
   * with JOB_INTERRUPTED, and nothing is returned.
   */
  claim(id: string, owner: string): Promise<LeasedJob | undefined>;
  /** Lists the ids of jobs that a process should claim. */
  runnable(): Promise<readonly string[]>;
  /** Reads the job. */
  check(lease: JobLease): Promise<Job | undefined>;
  /** Extends the lease. */
  renew(lease: JobLease): Promise<Job | undefined>;
  /** Sets the status message. */
  report(lease: JobLease, message: string): Promise<Job | undefined>;
  /** Adds questions; a question whose key exists stays as it is, with its answer. */
  ask(lease: JobLease, questions: Readonly<Record<string, AskRequest>>): Promise<Job | undefined>;
  /** Records that the handler continues with the answers to its questions. */
  resume(lease: JobLease): Promise<Job | undefined>;
  /** Ends the job. */
  finish(lease: JobLease, ending: JobEnding): Promise<Job | undefined>;
  /** Releases the lease of a job that has not ended, so that another process continues the job. */
  release(lease: JobLease): Promise<Job | undefined>;
  /** Removes expired jobs; returns their number. */
  sweep(): Promise<number>;
  /** Calls a listener with the id of every changed job; returns the function that stops this. */
  onChange(listener: (id: string) => void): () => void;
  close(): Promise<void>;
}
