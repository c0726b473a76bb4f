import { z } from "zod";
import type { Role } from "../context/principal.ts";
import { type Action, action } from "../define/action.ts";
import { defineTool, type Tool } from "../define/tool.ts";
import { hasEnded, type Job, openQuestions } from "../jobs/job.ts";
import type { JobStore } from "../jobs/job-store.ts";
import { payload, rows } from "../schema/schema.ts";

const exampleId = "job_0123456789abcdef0123456789abcdef";
const jobId = () => z.object({ job_id: z.string().describe("Id of the job, which is the taskId of MCP") });
const summary = () => ({ id: z.string(), tool: z.string(), status: z.string() });

/** The options of the tool `jobs`. */
export interface JobsToolOptions {
  /** True for a tool that can be called but is missing from `tools/list`. @default false */
  readonly unlisted?: boolean | undefined;
  /** The role that may cancel jobs; callers cancel only their own. @default the highest role */
  readonly cancelRole?: Role | undefined;
}

/** Creates the tool `jobs`, which lists, shows and cancels the jobs of its caller. */
export function createJobsTool(store: JobStore, { unlisted, cancelRole }: JobsToolOptions = {}): Tool {
  return defineTool({
    name: "jobs",
    version: "1.0.0",
    description: "List, show and cancel your jobs, which MCP calls tasks",
    unlisted,
    actions: {
      list: listJobs(store),
      show: action({
        examples: [{ title: "Show a job", args: { job_id: exampleId } }],
        description: "Show a job, with its result if it has ended",
        input: jobId,
        output: () => payload<JobDetail>(summary()),
        readOnly: true,
        cli: { command: "jobs show", arguments: ["job_id"] },
        run: async ({ job_id }, { principal }) => toJobDetail(await store.get(principal, job_id)),
      }),
      cancel: action({
        examples: [{ title: "Cancel a job", args: { job_id: exampleId } }],
        description: "Cancel a job; a job that has ended stays as it is",
        input: jobId,
        output: () => payload<JobRow>(summary()),
        idempotent: true,
        destructive: true,
        role: cancelRole,
        cli: { command: "jobs cancel", arguments: ["job_id"] },
        run: async ({ job_id }, { principal }) => toRow(await store.cancel(principal, job_id)),
      }),
    },
  });
}

/** Creates the action that lists the jobs of its caller, newest first. */
export function listJobs(store: JobStore): Action {
  return action({
    examples: [{ title: "List your jobs", args: {} }],
    description: "List your jobs: calls in the background",
    output: () => payload<{ jobs: readonly JobRow[] }>({ jobs: rows(summary()) }),
    readOnly: true,
    page: { default: 50, max: 500 },
    cli: { help: { summary: "List your jobs: calls that go on without the client that started them" } },
    run: async (_input, { principal, page }) => {
      const jobs = (await store.list(principal)).map(toRow);
      return { jobs: page.siblings(jobs, { id: ({ id }) => id }) };
    },
  });
}

/** A job without its result. */
export interface JobRow {
  readonly id: string;
  readonly tool: string;
  readonly action?: string;
  readonly status: string;
  readonly message?: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly expires_at: string;
}

/** A job with its result, its error or its open questions. */
export interface JobDetail extends JobRow {
  readonly request_id: string;
  readonly client: string;
  /** The number of times that a process has started to run the job. */
  readonly runs: number;
  /** The questions that wait for an answer of the client, by key. */
  readonly questions?: object;
  /** The answer of the call: an envelope or, for a raw action, the MCP tool result. */
  readonly result?: object;
  /** The error of a job that failed. */
  readonly error?: object;
}

function toRow({ id, call, status, statusMessage, createdAt, updatedAt, ttlMs }: Job): JobRow {
  return {
    id,
    tool: call.tool,
    ...(call.action === "" ? {} : { action: call.action }),
    status,
    ...(statusMessage === undefined ? {} : { message: statusMessage }),
    created_at: createdAt,
    updated_at: updatedAt,
    expires_at: new Date(Date.parse(createdAt) + ttlMs).toISOString(),
  };
}

/** Converts a job to the form that its caller receives. */
export function toJobDetail(job: Job): JobDetail {
  const { call, runs, result, error } = job;
  const questions = openQuestions(job);
  const isAsking = !hasEnded(job) && Object.keys(questions).length > 0;
  const { structuredContent = result } = (result ?? {}) as { readonly structuredContent?: object };
  return {
    ...toRow(job),
    request_id: call.requestId,
    client: call.client.name,
    runs,
    ...(isAsking ? { questions } : {}),
    ...(structuredContent === undefined ? {} : { result: structuredContent }),
    ...(error === undefined ? {} : { error }),
  };
}
