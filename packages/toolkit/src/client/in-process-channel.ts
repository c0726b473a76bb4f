import { type Envelope, errorResponse, fromUnknown, isEnvelope, readEnvelope } from "@foundry-mcp/contract";
import type { Tool } from "@modelcontextprotocol/client";
import { readProtocolError } from "../result/read-error.ts";
import { withRequestId } from "../result/read-result.ts";
import type { Channel, ChannelCall } from "./channel.ts";
import type { InProcessTarget } from "./connect-target.ts";

/** Opens a channel to an object in this process. */
export function openInProcessChannel(target: InProcessTarget): Channel {
  let isOpen = true;
  return {
    get serverInfo() {
      const { options } = target;
      return options && { name: options.name, version: options.version };
    },
    protocolVersion: undefined,
    follow: async ({ taskId }) =>
      errorResponse(`Cannot follow the task ${taskId}: calls in a process are answered at once`, {
        errorCode: "JOB_NOT_FOUND",
      }),
    isOpen: () => isOpen,
    async listTools() {
      return (target.definitions ?? []) as readonly Tool[];
    },
    async call(call) {
      if (isOpen) return withRequestId(await callWithTimeout(target, call), call.requestId);
      return readProtocolError({ code: "NOT_CONNECTED" }, { requestId: call.requestId });
    },
    async close() {
      isOpen = false;
    },
  };
}

/**
 * Calls a target with a timeout. A target that ignores its abort signal is not awaited, like a server that does not
 * answer.
 */
async function callWithTimeout(target: InProcessTarget, call: ChannelCall): Promise<Envelope> {
  const { name, args, requestId, timeoutMs, signal: given, onProgress } = call;
  const deadline = new AbortController();
  const timer = setTimeout(
    () => deadline.abort(new DOMException("The call took too long", "TimeoutError")),
    timeoutMs,
  );
  const signal = given === undefined ? deadline.signal : AbortSignal.any([given, deadline.signal]);
  const aborted = new Promise<Envelope>((resolve) => {
    const onAbort = () => resolve(readProtocolError(undefined, { signal }));
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    const answer = async () => {
      if (signal.aborted) return aborted;
      const envelope = await target.call(name, args, {
        requestId,
        signal,
        timeoutMs,
        ...(onProgress === undefined ? {} : { onProgress }),
      });
      return isEnvelope(envelope) ? envelope : readEnvelope(envelope);
    };
    return await Promise.race([answer(), aborted]);
  } catch (thrown) {
    return fromUnknown(thrown);
  } finally {
    clearTimeout(timer);
  }
}
