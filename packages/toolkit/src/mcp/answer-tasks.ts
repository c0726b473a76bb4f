import { isRecord, type UnknownRecord, validationError } from "@foundry-mcp/contract";
import type { ServerContext } from "@modelcontextprotocol/server";
import { localPrincipal } from "../context/principal.ts";
import { createRequestId } from "../context/request-id.ts";
import type { JobStore } from "../jobs/job-store.ts";
import type { McpHost } from "./create-mcp-server.ts";
import { jobRunnerOf } from "./job-runner.ts";
import { toProtocolError } from "./protocol-errors.ts";
import { principalOf } from "./request.ts";
import { lacksTasks } from "./start-task.ts";
import { toDetailedTask } from "./task-form.ts";
import { offersTasks } from "./task-names.ts";

/** A request of the tasks extension of protocol version 2026-07-28. */
export type TaskMethod = "tasks/get" | "tasks/update" | "tasks/cancel";

/** A request about a task, with its unvalidated parameters. */
export interface TaskRequest {
  readonly method: TaskMethod;
  readonly params: unknown;
  readonly context: ServerContext;
}

/** Answers a request of the tasks extension. */
export async function answerTaskRequest(
  host: McpHost,
  store: JobStore,
  { method, params, context }: TaskRequest,
): Promise<UnknownRecord> {
  const requestId = createRequestId();
  try {
    if (!offersTasks(context)) throw lacksTasks();
    const principal = principalOf(context)?.id ?? localPrincipal;
    return await methods[method](host, store, { principal, id: taskIdOf(params), context });
  } catch (thrown) {
    throw toProtocolError(host, thrown, { method, requestId });
  }
}

interface OwnedRequest {
  readonly principal: string;
  readonly id: string;
  readonly context: ServerContext;
}

type Answer = (host: McpHost, store: JobStore, request: OwnedRequest) => Promise<UnknownRecord>;

const methods: Readonly<Record<TaskMethod, Answer>> = {
  "tasks/get": async (_host, store, { principal, id }) => toDetailedTask(await store.get(principal, id)),
  async "tasks/update"({ registry }, store, { principal, id, context }) {
    // The SDK has taken the answers out of the parameters, and dropped malformed ones.
    const { inputResponses } = context.mcpReq;
    if (inputResponses === undefined) {
      throw validationError({ field: "inputResponses", constraint: "required" });
    }
    await store.answer(principal, id, inputResponses);
    // If the process that asked the questions has ended, this process continues the job.
    await jobRunnerOf(registry, store).take(id);
    return {};
  },
  async "tasks/cancel"(_host, store, { principal, id }) {
    await store.cancel(principal, id);
    return {};
  },
};

/** Returns the id of the task that a request names. */
export function taskIdOf(params: unknown): string {
  const id = isRecord(params) ? params["taskId"] : undefined;
  if (typeof id === "string") return id;
  throw validationError({ field: "taskId", constraint: "type", expected: "a string", received: id });
}
