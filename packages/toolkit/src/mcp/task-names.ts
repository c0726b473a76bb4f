import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Answerable } from "../context/job-call.ts";

/** The id of the extension that protocol version 2026-07-28 defines for tasks, which are jobs here. */
export const tasksExtension = "io.modelcontextprotocol/tasks";

/** The capability that a request lacks, in the form of the client's capabilities. */
export const tasksCapability = { extensions: { [tasksExtension]: {} } };

/** The capability of a server with tasks in protocol version 2025-11-25. */
export const tasksCapability2025 = { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };

/** The capabilities that a request of protocol version 2026-07-28 declares for its client. */
function capabilitiesOf({ mcpReq }: ServerContext): ClientCapabilities | undefined {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  return envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
}

/** True if a request of protocol version 2026-07-28 says that its client can follow tasks. */
export function offersTasks(context: ServerContext): boolean {
  return capabilitiesOf(context)?.extensions?.[tasksExtension] !== undefined;
}

/** The questions that the client of a request can answer. */
export function answerableBy(server: Server, context: ServerContext): readonly Answerable[] {
  const offered = capabilitiesOf(context) ?? server.getClientCapabilities();
  return (["elicitation", "sampling"] as const).filter((name) => offered?.[name] !== undefined);
}
