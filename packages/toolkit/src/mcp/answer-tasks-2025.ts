import { ContractError, cancelled, isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import {
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { AskRequest } from "../context/ask.ts";
import { localPrincipal } from "../context/principal.ts";
import { createRequestId } from "../context/request-id.ts";
import { hasEnded, type Job, openQuestions } from "../jobs/job.ts";
import type { JobStore } from "../jobs/job-store.ts";
import { taskIdOf } from "./answer-tasks.ts";
import { createConnectionAsker } from "./asker.ts";
import type { McpHost } from "./create-mcp-server.ts";
import { jobRunnerOf } from "./job-runner.ts";
import { ProtocolRefusal, toProtocolError } from "./protocol-errors.ts";
import { principalOf } from "./request.ts";
import { relatedTaskKey, toTask2025 } from "./task-form.ts";

/** A request about tasks of protocol version 2025-11-25. */
export type TaskMethod2025 = "tasks/get" | "tasks/result" | "tasks/list" | "tasks/cancel";

/** A request about tasks, with its unvalidated parameters. */
export interface TaskRequest2025 {
  readonly method: TaskMethod2025;
  readonly params: unknown;
  readonly server: Server;
  readonly context: ServerContext;
}

/** Answers a request about tasks in protocol version 2025-11-25. */
export async function answerTaskRequest2025(
  host: McpHost,
  store: JobStore,
  request: TaskRequest2025,
): Promise<UnknownRecord> {
  const { method } = request;
  const requestId = createRequestId();
  try {
    const principal = principalOf(request.context)?.id ?? localPrincipal;
    return await methods[method](host, store, { ...request, principal });
  } catch (thrown) {
    throw toProtocolError(host, thrown, { method, requestId });
  }
}

interface OwnedRequest extends TaskRequest2025 {
  readonly principal: string;
}

type Answer = (host: McpHost, store: JobStore, request: OwnedRequest) => Promise<UnknownRecord>;

const methods: Readonly<Record<TaskMethod2025, Answer>> = {
  "tasks/get": async (_host, store, { principal, params }) =>
    toTask2025(await store.get(principal, taskIdOf(params))),
  "tasks/result": async (host, store, request) => toResult(await waitForEnd(host, store, request)),
  async "tasks/list"(_host, store, { principal, params }) {
    if (isRecord(params) && params["cursor"] !== undefined) throw invalidCursor();
    return { tasks: (await store.list(principal)).map(toTask2025) };
  },
  async "tasks/cancel"(_host, store, { principal, params }) {
    const job = await store.get(principal, taskIdOf(params));
    if (hasEnded(job)) throw alreadyEnded(job);
    return toTask2025(await store.cancel(principal, job.id));
  },
};

/** Waits until a job has ended; meanwhile sends its states to the client, and asks the client its questions. */
async function waitForEnd(host: McpHost, store: JobStore, request: OwnedRequest): Promise<Job> {
  const { principal, params, server, context } = request;
  const runner = jobRunnerOf(host.registry, store);
  const id = taskIdOf(params);
  const { signal } = context.mcpReq;
  let sent: string | undefined;
  for (;;) {
    // The wait for a change begins before the job is read, so that no change is missed.
    const changed = runner.changed(id);
    const job = await store.get(principal, id);
    if (hasEnded(job)) return job;
    if (signal.aborted) throw cancelled();
    const task = toTask2025(job);
    // A renewed lease changes the job, but not the task.
    const state = JSON.stringify(task);
    if (state !== sent)
      await context.mcpReq.notify({ method: "notifications/tasks/status", params: task as never });
    sent = state;
    const questions = Object.entries(openQuestions(job));
    if (questions.length === 0) {
      await changed;
      continue;
    }
    const ask = createConnectionAsker(server, context);
    const answers: Record<string, unknown> = {};
    for (const [key, question] of questions) answers[key] = await ask(relatedTo(question, id));
    await store.answer(principal, id, answers);
    // If the process that asked the questions has ended, this process continues the job.
    await runner.take(id);
  }
}

function relatedTo({ method, params }: AskRequest, taskId: string): AskRequest {
  const meta = isRecord(params["_meta"]) ? params["_meta"] : {};
  return { method, params: { ...params, _meta: { ...meta, [relatedTaskKey]: { taskId } } } };
}

/** Returns the answer that the call would have had without a job. */
function toResult({ id, status, result, error }: Job): UnknownRecord {
  if (status === "cancelled") {
    throw new ProtocolRefusal(cancelled("The task was cancelled"), ProtocolErrorCode.InternalError);
  }
  if (error !== undefined) throw new ProtocolError(error.code, error.message, error.data);
  const meta = isRecord(result?.["_meta"]) ? result["_meta"] : {};
  return { ...result, _meta: { ...meta, [relatedTaskKey]: { taskId: id } } };
}

function alreadyEnded({ id, status }: Job): ProtocolRefusal {
  const failure = new ContractError(`Cannot cancel the task: it is ${status}`, {
    errorCode: "INVALID_STATE",
    remediation: "Read the result of the task with tasks/result.",
    details: { resource_type: "job", resource_id: id, status },
  });
  return new ProtocolRefusal(failure, ProtocolErrorCode.InvalidParams);
}

function invalidCursor(): ContractError {
  return new ContractError("Cannot list tasks: all tasks are on the first page", {
    errorCode: "INVALID_CURSOR",
    details: { field: "cursor" },
  });
}
