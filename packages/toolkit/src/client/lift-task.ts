import { isRecord } from "@foundry-mcp/contract";
import type { JSONRPCMessage } from "@modelcontextprotocol/client";

/** The handle of a call that continues on the server. MCP calls such a call a task. A value of JSON. */
export interface TaskHandle {
  readonly taskId: string;
}

/** The key that marks an answer whose result type is a task; the SDK refuses that result type. */
const markKey = "foundry-mcp/task";

/** Marks an answer that is a task, so that the SDK returns it like any other answer. */
export function liftTask<M extends JSONRPCMessage>(message: M): M {
  const { result } = message as { readonly result?: unknown };
  if (!isRecord(result) || result["resultType"] !== "task") return message;
  return { ...message, result: { content: [], ...result, resultType: "complete", [markKey]: true } };
}

/**
 * Returns the task that a result names; undefined for any other result. `takesTasks` is true for a server that declares
 * the tasks of protocol version 2025-11-25.
 */
export function taskOf(result: unknown, takesTasks: boolean): TaskHandle | undefined {
  if (!isRecord(result)) return undefined;
  const task = result[markKey] === true ? result : takesTasks ? result["task"] : undefined;
  if (!isRecord(task) || typeof task["taskId"] !== "string") return undefined;
  return { taskId: task["taskId"] };
}
