import type { AskRequest } from "../context/ask.ts";
import { hasEnded, isRunnable, type Job, type JobEnding, openQuestions } from "./job.ts";
import { jobInterrupted, toJobError } from "./job-failures.ts";
import type { ResolvedJobLimits } from "./job-limits.ts";

/**
 * A change of a job: a pure function from the stored job to its replacement; undefined if the change does not apply
 * to the stored job. A change runs again if another process has changed the job meanwhile.
 */
export type JobChange = (job: Job, now: number) => Job | undefined;

/** Lets a process run a job that nobody runs; a job that must not run again fails instead. */
export function claimJob(owner: string, limits: ResolvedJobLimits): JobChange {
  return (job, now) => {
    if (!isRunnable(job, now)) return undefined;
    if (!mayRunAgain(job, limits)) return endWith(job, { error: toJobError(jobInterrupted(job), job) });
    return { ...job, runs: job.runs + 1, token: job.token + 1, lease: leaseUntil(owner, now, limits) };
  };
}

/**
 * True if the action may run once more. A handler that waits at a question has promised to have changed nothing that
 * must not happen twice. A job that was never run may always run.
 */
function mayRunAgain({ runs, isRepeatable, isParked }: Job, limits: ResolvedJobLimits): boolean {
  return runs === 0 || (runs < limits.runs && (isRepeatable || isParked));
}

/**
 * Allows a change only to the process that holds the newest lease. The lease may have expired if no other process has
 * taken the job.
 */
export function asOwner(token: number, change: JobChange): JobChange {
  return (job, now) => (job.token !== token || hasEnded(job) ? undefined : change(job, now));
}

/** Extends the lease. */
export function renewLease(owner: string, limits: ResolvedJobLimits): JobChange {
  return (job, now) => ({ ...job, lease: leaseUntil(owner, now, limits) });
}

/** Releases the lease, so that another process can continue the job at once. */
export function releaseLease(): JobChange {
  return (job) => withoutLease(job);
}

/** Sets the text that describes the progress of the job. */
export function report(statusMessage: string): JobChange {
  return (job) => (job.statusMessage === statusMessage ? undefined : { ...job, statusMessage });
}

/**
 * Asks the client. A run that repeats an earlier run finds its earlier question under the same key, with the answer
 * if there is one.
 */
export function ask(asked: Readonly<Record<string, AskRequest>>): JobChange {
  return (job) => {
    const added = Object.entries(asked).filter(([key]) => !Object.hasOwn(job.questions, key));
    const questions = {
      ...job.questions,
      ...Object.fromEntries(added.map(([key, request]) => [key, { request }])),
    };
    return withStatus({ ...job, questions, isParked: true });
  };
}

/** Goes on after a question: the handler has its answers. */
export function resume(): JobChange {
  return (job) => withStatus({ ...job, isParked: false });
}

/** Stores the answers to open questions; other answers are ignored, as the protocol requires. */
export function answer(answers: Readonly<Record<string, unknown>>): JobChange {
  return (job) => {
    if (hasEnded(job)) return undefined;
    const open = openQuestions(job);
    const given = Object.keys(answers).filter((key) => Object.hasOwn(open, key));
    if (given.length === 0) return undefined;
    const answered = given.map((key) => [key, { ...job.questions[key], answer: answers[key] ?? null }]);
    return withStatus({ ...job, questions: { ...job.questions, ...Object.fromEntries(answered) } });
  };
}

/** Cancels a job; the process that runs the job detects this and stops. */
export function cancel(): JobChange {
  return (job) => (hasEnded(job) ? undefined : { ...withoutLease(job), status: "cancelled" });
}

/** Ends a job. */
export function end(ending: JobEnding): JobChange {
  return (job) => endWith(job, ending);
}

/** Moves the result of a completed job to the archive. */
export function endArchived(archiveId: string): JobChange {
  return (job) => ({ ...withoutLease(job), status: "completed", archived: { archiveId } });
}

function endWith(job: Job, ending: JobEnding): Job {
  return "error" in ending
    ? { ...withoutLease(job), status: "failed", error: ending.error, statusMessage: ending.error.message }
    : { ...withoutLease(job), status: "completed", result: ending.result };
}

function withoutLease({ lease: _lease, ...job }: Job): Job {
  return job;
}

function withStatus(job: Job): Job {
  const isWaiting = job.isParked && Object.keys(openQuestions(job)).length > 0;
  return { ...job, status: isWaiting ? "input_required" : "working" };
}

function leaseUntil(owner: string, now: number, { leaseMs }: ResolvedJobLimits) {
  return { owner, expiresAt: new Date(now + leaseMs).toISOString() };
}
