import { internal, isContractError, type UnknownRecord } from "@foundry-mcp/contract";
import { isCallToolResult, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Caller } from "../context/call.ts";
import type { Outcome } from "../dispatch/dispatch.ts";
import type { Job, JobEnding, JobError } from "../jobs/job.ts";
import { toJobError } from "../jobs/job-failures.ts";
import type { JobStore, LeasedJob } from "../jobs/job-store.ts";
import type { Registry } from "../registry/registry.ts";
import { createJobProgress } from "./job-progress.ts";
import { createJobQuestions } from "./job-questions.ts";
import { toCallToolResult } from "./tool-result.ts";

/** The surroundings of a run. */
export interface JobRun {
  readonly registry: Registry;
  readonly store: JobStore;
  /** Aborts when the job is cancelled or has expired, or when the process has lost the lease. */
  readonly signal: AbortSignal;
  /** Resolves when the job may have changed. */
  readonly changed: () => Promise<void>;
}

/** Runs a job through the dispatch, as a call whose caller is the job itself, and stores its end. */
export async function runJob(run: JobRun, { job, lease }: LeasedJob): Promise<void> {
  const { registry, store, signal, changed } = run;
  const { call } = job;
  const progress = createJobProgress(store, lease);
  const caller: Caller = {
    surface: call.surface,
    client: call.client,
    principal: call.principal,
    maxTokens: call.maxTokens,
    signal,
    sendProgress: (state) => progress.send(state),
    asker: createJobQuestions(store, lease, job, changed).asker,
    answers: call.answers,
    runsJob: true,
  };
  const outcome = await registry.dispatch(
    {
      tool: call.tool,
      args: call.args,
      requestId: call.requestId,
      warnings: call.warnings,
      trace: call.trace,
      contract: call.dialect,
    },
    caller,
  );
  await progress.stop();
  // If a run was stopped, the end of the run is not the end of the job.
  if (!signal.aborted) await store.finish(lease, toEnding(outcome, job));
}

/** Converts the outcome of a run to the end of its job: only errors of the protocol make a job fail. */
function toEnding(outcome: Outcome, job: Job): JobEnding {
  try {
    const result = toCallToolResult(outcome) as UnknownRecord;
    // A job has no client that could repeat the call with an answer.
    if (!isCallToolResult(result)) throw internal("Cannot run as a job: the handler asks by its result");
    return { result };
  } catch (thrown) {
    return { error: toError(thrown, job) };
  }
}

function toError(thrown: unknown, job: Job): JobError {
  if (thrown instanceof ProtocolError) {
    const { code, message, data } = thrown;
    return { code, message, data: data as UnknownRecord | undefined };
  }
  if (isContractError(thrown)) return toJobError(thrown, job);
  return { code: ProtocolErrorCode.InternalError, message: "Internal error" };
}
