import { cancelled } from "@foundry-mcp/contract";
import { type Asker, type AskRequest, cannotAsk, capabilityOf } from "../context/ask.ts";
import { type Job, openQuestions, questionKey } from "../jobs/job.ts";
import type { JobLease, JobStore } from "../jobs/job-store.ts";

/** The questions of one run of a job. */
export interface JobQuestions {
  readonly asker: Asker;
}

/**
 * Creates the questions of a run. A question is stored in the job, and the handler waits until the client has
 * answered all open questions; a run that repeats an earlier one finds the earlier answers. `changed` resolves when
 * the job may have changed.
 */
export function createJobQuestions(
  store: JobStore,
  lease: JobLease,
  job: Job,
  changed: () => Promise<void>,
): JobQuestions {
  let asked = 0;
  let batch: Record<string, AskRequest> = {};
  let round: Promise<Job> | undefined;

  /**
   * The key of the next question. Keys are never reused, so a run that asks another question than the run before gets
   * a new key.
   */
  const nextKey = (request: AskRequest): string => {
    asked += 1;
    const key = questionKey(asked);
    const earlier = job.questions[key];
    const isSame = earlier === undefined || JSON.stringify(earlier.request) === JSON.stringify(request);
    return isSame ? key : `${key}_run_${job.runs}`;
  };

  /** Asks the questions of a turn of the event loop together, and waits for the answers. */
  const runRound = async (): Promise<Job> => {
    await new Promise((resolve) => setImmediate(resolve));
    const questions = batch;
    batch = {};
    round = undefined;
    let current = require(await store.ask(lease, questions));
    while (Object.keys(openQuestions(current)).length > 0) {
      await changed();
      current = require(await store.check(lease));
    }
    await store.resume(lease);
    return current;
  };

  return {
    async asker(request) {
      const capability = capabilityOf(request);
      if (job.call.answers?.includes(capability) !== true) throw cannotAsk(capability);
      const key = nextKey(request);
      batch[key] = request;
      round ??= runRound();
      return (await round).questions[key]?.answer;
    },
  };
}

/** Returns the job; throws if it was cancelled, has expired or belongs to another process. */
function require(job: Job | undefined): Job {
  if (job === undefined) throw cancelled();
  return job;
}
