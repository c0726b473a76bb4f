import { setTimeout as delay } from "node:timers/promises";
import { cancelled, isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import { type Client, type Progress, ProtocolError } from "@modelcontextprotocol/client";
import { tasksCapability } from "../mcp/task-names.ts";
import { anyResult } from "./any-result.ts";
import type { TaskHandle } from "./lift-task.ts";
import { answerAll, type QuestionReceiver } from "./relayed-questions.ts";

/** How a task is followed. */
export interface FollowOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Answers the questions of a task of protocol version 2026-07-28. @default the task waits for another client */
  readonly questions?: QuestionReceiver | undefined;
  /** The time limit of one request for the state of the task, in milliseconds. */
  readonly timeoutMs: number;
}

const minPollMs = 20;
const maxPollMs = 10_000;
const defaultPollMs = 1_000;
/** The number of requests in a row that may fail because the server cannot be reached. */
const maxLostPolls = 10;
export const clientCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";

/** Adds to the parameters of a request of protocol version 2026-07-28 that its client follows tasks. */
export function offerTasks(params: UnknownRecord, capabilities: UnknownRecord): UnknownRecord {
  const meta = isRecord(params["_meta"]) ? params["_meta"] : {};
  const offered = { ...capabilities, ...tasksCapability };
  return { ...params, _meta: { ...meta, [clientCapabilitiesKey]: offered } };
}

/**
 * Follows a task to its end, and returns its result; throws the error with which the task failed. If the signal aborts,
 * the task is cancelled. Requests that fail because the server cannot be reached for a while are repeated.
 */
export async function followTask(
  client: Client,
  { taskId }: TaskHandle,
  capabilities: UnknownRecord,
  { signal, onProgress, questions, timeoutMs }: FollowOptions,
): Promise<unknown> {
  const isModern = (client.getNegotiatedProtocolVersion() ?? "") >= "2026-07-28";
  const ask = (method: string, more: UnknownRecord = {}) => {
    const params = { taskId, ...more };
    return client.request(
      { method, params: isModern ? offerTasks(params, capabilities) : params },
      anyResult,
      { timeout: timeoutMs },
    );
  };
  let lost = 0;
  let told: unknown;
  let steps = 0;
  for (;;) {
    if (signal?.aborted === true) {
      await ask("tasks/cancel").catch(() => {});
      throw signal.reason;
    }
    let state: unknown;
    try {
      state = await ask("tasks/get");
      lost = 0;
    } catch (thrown) {
      lost += 1;
      if (thrown instanceof ProtocolError || lost > maxLostPolls) throw thrown;
    }
    const task = isRecord(state) ? state : {};
    const { status, statusMessage } = task;
    if (typeof statusMessage === "string" && statusMessage !== told) {
      told = statusMessage;
      steps += 1;
      onProgress?.({ progress: steps, message: statusMessage });
    }
    if (status === "completed") return isModern ? task["result"] : ask("tasks/result");
    // Servers of 2025-11-25 put their questions and their errors to the client that waits for the result.
    if (!isModern && (status === "input_required" || status === "failed")) return ask("tasks/result");
    if (status === "failed") throw toError(task["error"]);
    if (status === "cancelled") throw cancelled();
    if (status === "input_required" && questions !== undefined) {
      const inputResponses = await answerAll(task["inputRequests"], questions);
      await ask("tasks/update", { inputResponses });
      continue;
    }
    await delay(pollMsOf(task), undefined, { ...(signal === undefined ? {} : { signal }) }).catch(() => {});
  }
}

function pollMsOf({ pollIntervalMs, pollInterval }: UnknownRecord): number {
  const wanted = Number(pollIntervalMs ?? pollInterval ?? defaultPollMs);
  return Number.isFinite(wanted) ? Math.min(maxPollMs, Math.max(minPollMs, wanted)) : defaultPollMs;
}

function toError(error: unknown): Error {
  const { code, message, data } = isRecord(error) ? error : ({} as UnknownRecord);
  return new ProtocolError(Number(code) || -32_603, String(message ?? "The task failed"), data);
}
