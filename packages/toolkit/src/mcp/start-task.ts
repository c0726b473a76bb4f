import { ContractError, isContractError, type UnknownRecord } from "@foundry-mcp/contract";
import {
  type McpRequestContext,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { JobRequest } from "../context/job-call.ts";
import type { JobStore, LeasedJob } from "../jobs/job-store.ts";
import type { Registry } from "../registry/registry.ts";
import { jobRunnerOf } from "./job-runner.ts";
import { ProtocolRefusal } from "./protocol-errors.ts";
import { toTask, toTask2025 } from "./task-form.ts";
import { answerableBy, offersTasks, tasksCapability } from "./task-names.ts";

/** The request of a client that may become a task. */
export interface TaskCall {
  readonly registry: Registry;
  readonly store: JobStore;
  readonly server: Server;
  readonly context: ServerContext;
  readonly era: McpRequestContext["era"];
  /** The parameter with which clients of protocol version 2025-11-25 ask for a task. */
  readonly asked: { readonly ttl?: number | undefined } | undefined;
}

/**
 * Starts a job for a call and returns the answer that names the job as a task. Returns undefined if the client
 * cannot follow tasks, or if the principal has too many jobs and the call can also be answered at once.
 */
export async function startTask(call: TaskCall, request: JobRequest): Promise<UnknownRecord | undefined> {
  const { registry, store, era, asked } = call;
  const isOffered = era === "modern" ? offersTasks(call.context) : asked !== undefined;
  if (!isOffered) {
    if (request.support === "required") throw era === "modern" ? lacksTasks() : needsTask(request);
    return undefined;
  }
  if (era === "legacy" && !hasTasks(registry, request.call.tool)) throw takesNoTask(request);
  const runner = jobRunnerOf(registry, store);
  let leased: LeasedJob;
  try {
    const answers = answerableBy(call.server, call.context);
    const given = { ...request, call: { ...request.call, answers }, ttlMs: ttlOf(asked) };
    leased = await store.create(given, runner.owner);
  } catch (thrown) {
    // A client of 2025-11-25 that asked for a task cannot read another answer.
    if (era === "legacy" || request.support === "required" || !isContractError(thrown)) throw thrown;
    request.warn({ message: `${thrown.message}; the call was answered at once instead` });
    return undefined;
  }
  runner.start(leased);
  // The SDK refuses an answer to tools/call without `content`; clients ignore the `content` of an answer that is a
  // task.
  const content: readonly never[] = [];
  return era === "modern"
    ? { resultType: "task", ...toTask(leased.job), content }
    : { task: toTask2025(leased.job), content };
}

function ttlOf(asked: TaskCall["asked"]): number | undefined {
  const ttl = asked?.ttl;
  return ttl !== undefined && Number.isFinite(ttl) && ttl >= 1 ? Math.floor(ttl) : undefined;
}

/** True if an action of the tool runs as a job. */
export function hasTasks({ tools }: Registry, name: string): boolean {
  const tool = tools.find((known) => known.name === name);
  const supports = [...(tool?.actions.values() ?? [])].map(({ definition }) => definition.task ?? "never");
  return supports.some((support) => support !== "never");
}

/** Creates the refusal of a request whose client does not say that it can follow tasks. */
export function lacksTasks(): ProtocolRefusal {
  const failure = new ContractError("Cannot answer: the client does not offer tasks", {
    errorCode: "NOT_IMPLEMENTED",
    remediation: "Call from a client that offers the extension io.modelcontextprotocol/tasks.",
    details: { capability: "tasks" },
  });
  return new ProtocolRefusal(failure, ProtocolErrorCode.MissingRequiredClientCapability, {
    requiredCapabilities: tasksCapability,
  });
}

function needsTask({ call }: JobRequest): ProtocolRefusal {
  const failure = new ContractError(`Cannot call ${call.tool}: the call must run as a task`, {
    errorCode: "NOT_IMPLEMENTED",
    remediation: "Call from a client that offers tasks, with the parameter task.",
    details: { capability: "tasks" },
  });
  return new ProtocolRefusal(failure, ProtocolErrorCode.MethodNotFound);
}

function takesNoTask({ call }: JobRequest): ProtocolRefusal {
  const failure = new ContractError(`Cannot call ${call.tool} as a task: none of its actions runs as one`, {
    errorCode: "NOT_IMPLEMENTED",
    remediation: "Call the tool without the parameter task.",
    details: { tool: call.tool },
  });
  return new ProtocolRefusal(failure, ProtocolErrorCode.MethodNotFound);
}
