import type { UnknownRecord } from "@foundry-mcp/contract";
import type { AskRequest } from "../context/ask.ts";
import type { JobCall } from "../context/job-call.ts";

export type { JobCall };

/** The states of a job, as MCP names the states of a task; the last three are final. */
export type JobStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** A question of the handler to the client. */
export interface JobQuestion {
  readonly request: AskRequest;
  /** The client's answer, not validated; absent until the client answers. */
  readonly answer?: unknown;
}

/** A JSON-RPC error with which a job failed. */
export interface JobError {
  readonly code: number;
  readonly message: string;
  readonly data?: UnknownRecord | undefined;
}

/** The right of one process to run a job until a time, renewed while the job runs. */
export interface Lease {
  readonly owner: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** The place of a result that is too large for the job itself. */
export interface ArchivedResult {
  readonly archiveId: string;
}

/** A call that runs apart from the request that started it; MCP calls it a task. A value of JSON. */
export interface Job {
  readonly id: string;
  /** Changes with every write; a write names the version that it replaces. */
  readonly version: number;
  /** The id of the principal that owns the job. */
  readonly principal: string;
  readonly call: JobCall;
  /** True if the action may run again after it was interrupted. */
  readonly isRepeatable: boolean;
  readonly status: JobStatus;
  readonly statusMessage?: string | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The job is removed this time after its creation. */
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
  /** The number of times that a process has started to run the job. */
  readonly runs: number;
  /**
   * The fencing token. Each new lease increases it, so that a process that has lost its lease cannot change the job.
   */
  readonly token: number;
  /** Absent if no process runs the job. */
  readonly lease?: Lease | undefined;
  /** True while the handler waits at a question and has not taken its answer. */
  readonly isParked: boolean;
  /** Every question of the job by its key, which is never used twice. */
  readonly questions: Readonly<Record<string, JobQuestion>>;
  /** The MCP tool result; only of a completed job. */
  readonly result?: UnknownRecord | undefined;
  /** The place where the result is stored, if it is not in `result`. */
  readonly archived?: ArchivedResult | undefined;
  /** The error; only of a failed job. */
  readonly error?: JobError | undefined;
}

/** The end of a run: a result, or an error of the protocol. */
export type JobEnding = { readonly result: UnknownRecord } | { readonly error: JobError };

/** True for a job that will not change any more. */
export function hasEnded({ status }: Pick<Job, "status">): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

/** True for a job whose time to live has passed. */
export function hasExpired({ createdAt, ttlMs }: Pick<Job, "createdAt" | "ttlMs">, now: number): boolean {
  return now >= Date.parse(createdAt) + ttlMs;
}

/** True for a job that a process runs now. */
export function isLeased({ lease }: Pick<Job, "lease">, now: number): boolean {
  return lease !== undefined && now < Date.parse(lease.expiresAt);
}

/** Returns the key of a question by its number in a run, from 1. */
export function questionKey(number: number): string {
  return `question_${number}`;
}

/** The questions that the client has not answered, by key. */
export function openQuestions({ questions }: Pick<Job, "questions">): Readonly<Record<string, AskRequest>> {
  const open = Object.entries(questions).filter(([, question]) => !("answer" in question));
  return Object.fromEntries(open.map(([key, { request }]) => [key, request]));
}

/** True for a job that a process must run: nobody does, and no answer is missing. */
export function isRunnable(job: Job, now: number): boolean {
  if (hasEnded(job) || hasExpired(job, now) || isLeased(job, now)) return false;
  return !job.isParked || Object.keys(openQuestions(job)).length === 0;
}

/** True for a text that has the form of the id of a job: 128 random bits, so that nobody can guess an id. */
export function isJobId(id: unknown): id is string {
  return typeof id === "string" && /^job_[0-9a-f]{32}$/.test(id);
}
