import { type Envelope, isRecord, successResponse, type UnknownRecord } from "@foundry-mcp/contract";
import type { JobStarter } from "../context/job-call.ts";
import { localPrincipal } from "../context/principal.ts";
import type { Outcome } from "../dispatch/dispatch.ts";
import { hasEnded, type Job } from "../jobs/job.ts";
import type { JobStore } from "../jobs/job-store.ts";
import type { McpHost } from "../mcp/create-mcp-server.ts";
import { toJobDetail } from "../registry/jobs-tool.ts";

/** True for a request with `Prefer: respond-async` (RFC 7240), in any spelling of the header. */
export function prefersAsync(headers: Headers): boolean {
  const preferences = (headers.get("prefer") ?? "").split(",");
  return preferences.some((each) => each.split(";")[0]?.trim().toLowerCase() === "respond-async");
}

/**
 * Returns the function that starts a job for a call of the API. An action that never runs as a job is answered at
 * once, because a client can only prefer a job and not require one.
 */
export function createApiJobStarter({ registry }: McpHost, store: JobStore): JobStarter {
  return async (request) => {
    if (request.support === "never") return undefined;
    const { jobRunnerOf } = await import("../mcp/job-runner.ts");
    const runner = jobRunnerOf(registry, store);
    try {
      const leased = await store.create({ ...request, call: { ...request.call, answers: [] } }, runner.owner);
      runner.start(leased);
      return { job: toJobDetail(leased.job) };
    } catch (thrown) {
      request.warn({ message: `${messageOf(thrown)}; the call was answered at once instead` });
      return undefined;
    }
  };
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : "No job can be started";
}

/** Returns the answer to a call that has become a job; undefined for any other outcome. */
export function toAccepted({ result, envelope }: Outcome): Response | undefined {
  const job = result?.["job"];
  if (!isRecord(job) || typeof job["id"] !== "string") return undefined;
  const accepted: Envelope = successResponse(job, { requestId: envelope.meta.request_id ?? undefined });
  return Response.json(accepted, {
    status: 202,
    headers: {
      location: `/api/jobs/${job["id"]}`,
      "preference-applied": "respond-async",
      "x-request-id": String(envelope.meta.request_id),
    },
  });
}

/** The state of a job for `GET /api/jobs/{id}`, and the headers of the response. */
export interface JobAnswer {
  readonly data: UnknownRecord;
  readonly headers: Readonly<Record<string, string>>;
}

/** Reads a job of the caller; the header Retry-After says when to ask again. */
export async function readJob(
  store: JobStore,
  principal: { readonly id: string } | undefined,
  id: string,
): Promise<JobAnswer> {
  return toAnswer(await store.get(principal?.id ?? localPrincipal, id));
}

/** Cancels a job of the caller. */
export async function cancelJob(
  store: JobStore,
  principal: { readonly id: string } | undefined,
  id: string,
): Promise<JobAnswer> {
  return toAnswer(await store.cancel(principal?.id ?? localPrincipal, id));
}

function toAnswer(job: Job): JobAnswer {
  const seconds = Math.max(1, Math.ceil(job.pollIntervalMs / 1_000));
  const headers: Record<string, string> = hasEnded(job) ? {} : { "retry-after": String(seconds) };
  return { data: { ...toJobDetail(job) }, headers };
}
