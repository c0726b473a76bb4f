import { randomBytes } from "node:crypto";
import { isContractError } from "@foundry-mcp/contract";
import { type ContentArchive, contentHashOf } from "../archive/content-archive.ts";
import { hasEnded, hasExpired, isJobId, isRunnable, type Job, type JobEnding, questionKey } from "./job.ts";
import {
  answer,
  ask,
  asOwner,
  cancel,
  claimJob,
  end,
  endArchived,
  type JobChange,
  releaseLease,
  renewLease,
  report,
  resume,
} from "./job-changes.ts";
import { jobNotFound, resultTooLarge, toJobError, tooManyJobs } from "./job-failures.ts";
import { type JobLimits, type ResolvedJobLimits, resolveJobLimits } from "./job-limits.ts";
import type { JobStorage } from "./job-storage.ts";
import type { JobLease, JobStore, LeasedJob, NewJob } from "./job-store.ts";

/** The options of a store of jobs. */
export interface JobStoreOptions {
  /** @default see `JobLimits` */
  readonly limits?: JobLimits | undefined;
  /**
   * The archive for results that are larger than `limits.resultBytes`.
   * @default such a job fails
   */
  readonly archive?: ContentArchive | undefined;
}

/** The maximum length of a status message, in UTF-16 code units. */
const maxMessage = 500;

/** Creates a store of jobs over any storage. */
export function createJobStore(storage: JobStorage, options: JobStoreOptions = {}): JobStore {
  const limits = resolveJobLimits(options.limits ?? {});
  const listeners = new Set<(id: string) => void>();
  const publish = (id: string): void => {
    for (const listener of listeners) listener(id);
  };
  const unwatch = storage.watch?.(publish);

  /** Returns the live job; undefined if it is gone or has expired. */
  const read = async (id: string): Promise<Job | undefined> => {
    const job = await storage.read(id);
    return job === undefined || hasExpired(job, Date.now()) ? undefined : job;
  };

  /** Applies a change, and retries if another process has changed the job. Returns undefined if the change does not apply. */
  const apply = async (id: string, change: JobChange): Promise<Job | undefined> => {
    for (;;) {
      const job = await read(id);
      if (job === undefined) return undefined;
      const now = Date.now();
      const changed = change(job, now);
      if (changed === undefined) return undefined;
      const next = { ...changed, version: job.version + 1, updatedAt: toTime(now) };
      if (await storage.replace(next, job.version)) {
        publish(id);
        return next;
      }
    }
  };
  const applyAsOwner = ({ id, token }: JobLease, change: JobChange) => apply(id, asOwner(token, change));

  const owned = async (principal: string, id: unknown): Promise<Job> => {
    const job = isJobId(id) ? await read(id) : undefined;
    if (job === undefined || job.principal !== principal) throw jobNotFound(id);
    return job;
  };
  const applyAsPrincipal = async (principal: string, id: unknown, change: JobChange): Promise<Job> => {
    const job = await owned(principal, id);
    return (await apply(job.id, change)) ?? owned(principal, id);
  };

  /** Jobs are created one after the other, so that a burst of calls cannot pass the limits. */
  let creating: Promise<unknown> = Promise.resolve();
  const create = async (given: NewJob, owner: string): Promise<LeasedJob> => {
    const now = Date.now();
    const known = await storage.list({ principal: given.principal });
    const job = toJob(given, owner, now, limits);
    requireRoom(
      known.filter((each) => !hasExpired(each, now)),
      job,
      limits,
    );
    for (const each of known) if (hasExpired(each, now)) await storage.delete(each.id);
    if (!(await storage.create(job))) throw new Error("The id of a new job is taken");
    publish(job.id);
    return { job, lease: { id: job.id, owner, token: job.token } };
  };

  const finish = async (lease: JobLease, ending: JobEnding): Promise<Job | undefined> => {
    if ("error" in ending) return applyAsOwner(lease, end(ending));
    const bytes = Buffer.from(JSON.stringify(ending.result));
    if (bytes.length <= limits.resultBytes) return applyAsOwner(lease, end(ending));
    const job = await read(lease.id);
    if (job === undefined) return undefined;
    try {
      return await applyAsOwner(lease, endArchived(await archiveResult(job, bytes)));
    } catch (thrown) {
      if (!isContractError(thrown)) throw thrown;
      return applyAsOwner(lease, end({ error: toJobError(thrown, job) }));
    }
  };
  const archiveResult = async ({ principal, call }: Job, bytes: Uint8Array): Promise<string> => {
    if (options.archive === undefined) throw resultTooLarge(bytes.length, limits.resultBytes);
    const { tool, action, requestId } = call;
    const hash = contentHashOf(bytes);
    const content = { principal, bytes, hash, tool, action, requestId, contentIds: [] };
    return (await options.archive.put(content)).archiveId;
  };
  /** Reads the archived result of a job, and adds it to the job. */
  const withResult = async (job: Job): Promise<Job> => {
    if (job.archived === undefined || options.archive === undefined) return job;
    const entry = await options.archive.find(job.principal, job.archived);
    if (entry === undefined) throw jobNotFound(job.id);
    return { ...job, result: JSON.parse(Buffer.from(await options.archive.read(entry)).toString()) };
  };

  return {
    limits,
    create(job, owner) {
      const created = creating.then(() => create(job, owner));
      creating = created.catch(() => {});
      return created;
    },
    get: async (principal, id) => withResult(await owned(principal, id)),
    async list(principal) {
      const jobs = await storage.list({ principal });
      const now = Date.now();
      return jobs.filter((job) => !hasExpired(job, now)).toReversed();
    },
    answer: (principal, id, answers) => applyAsPrincipal(principal, id, answer(answers)),
    cancel: (principal, id) => applyAsPrincipal(principal, id, cancel()),
    async claim(id, owner) {
      const job = await apply(id, claimJob(owner, limits));
      if (job === undefined || hasEnded(job)) return undefined;
      return { job, lease: { id, owner, token: job.token } };
    },
    async runnable() {
      const jobs = await storage.list({ isRunning: true });
      const now = Date.now();
      return jobs.filter((job) => isRunnable(job, now)).map(({ id }) => id);
    },
    async check({ id, token }) {
      const job = await read(id);
      return job === undefined || job.token !== token || hasEnded(job) ? undefined : job;
    },
    renew: (lease) => applyAsOwner(lease, renewLease(lease.owner, limits)),
    report: (lease, message) => applyAsOwner(lease, report(message.slice(0, maxMessage).toWellFormed())),
    ask: (lease, questions) => applyAsOwner(lease, ask(questions)),
    resume: (lease) => applyAsOwner(lease, resume()),
    finish,
    release: (lease) => applyAsOwner(lease, releaseLease()),
    async sweep() {
      const expired = await storage.list({ expiredAt: Date.now() });
      for (const { id } of expired) await storage.delete(id);
      return expired.length;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      unwatch?.();
      await storage.close?.();
    },
  };
}

function toJob(
  { principal, call, isRepeatable, answered = [], ttlMs }: NewJob,
  owner: string,
  now: number,
  limits: ResolvedJobLimits,
): Job {
  const { leaseMs, pollIntervalMs } = limits;
  return {
    id: `job_${randomBytes(16).toString("hex")}`,
    version: 1,
    principal,
    call,
    isRepeatable,
    status: "working",
    createdAt: toTime(now),
    updatedAt: toTime(now),
    ttlMs: Math.min(ttlMs ?? limits.ttlMs, limits.ttlMs),
    pollIntervalMs,
    runs: 1,
    token: 1,
    lease: { owner, expiresAt: toTime(now + leaseMs) },
    isParked: false,
    questions: Object.fromEntries(answered.map((question, index) => [questionKey(index + 1), question])),
  };
}

function requireRoom(known: readonly Job[], job: Job, limits: ResolvedJobLimits): void {
  if (known.length >= limits.jobs) throw tooManyJobs("jobs", limits.jobs);
  const running = known.filter((each) => !hasEnded(each)).length;
  if (running >= limits.running) throw tooManyJobs("running jobs", limits.running);
  const bytes = [...known, job].reduce((sum, each) => sum + JSON.stringify(each).length, 0);
  if (bytes > limits.bytes) throw tooManyJobs("bytes of jobs", limits.bytes);
}

function toTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
