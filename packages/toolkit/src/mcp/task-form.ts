import type { UnknownRecord } from "@foundry-mcp/contract";
import { type Job, openQuestions } from "../jobs/job.ts";

/** The key in `_meta` with which protocol version 2025-11-25 names the task of a message. */
export const relatedTaskKey = "io.modelcontextprotocol/related-task";

/** Converts a job to a task of protocol version 2026-07-28, without its result, error and questions. */
export function toTask(job: Job): UnknownRecord {
  const { ttlMs, pollIntervalMs } = job;
  return { ...toCommon(job), ttlMs, pollIntervalMs };
}

/** Converts a job to a task of protocol version 2026-07-28, with its result, its error or its open questions. */
export function toDetailedTask(job: Job): UnknownRecord {
  return { ...toTask(job), ...toDetail(job) };
}

/** Converts a job to a task of protocol version 2025-11-25. */
export function toTask2025(job: Job): UnknownRecord {
  return { ...toCommon(job), ttl: job.ttlMs, pollInterval: job.pollIntervalMs };
}

function toCommon({ id, status, statusMessage, createdAt, updatedAt }: Job): UnknownRecord {
  return {
    taskId: id,
    status,
    ...(statusMessage === undefined ? {} : { statusMessage }),
    createdAt,
    lastUpdatedAt: updatedAt,
  };
}

function toDetail(job: Job): UnknownRecord {
  switch (job.status) {
    case "completed":
      // The result names its own type, because clients read it like the answer of the call itself.
      return { result: { resultType: "complete", ...job.result } };
    case "failed":
      return { error: job.error };
    case "input_required":
      return { inputRequests: openQuestions(job) };
    default:
      return {};
  }
}
