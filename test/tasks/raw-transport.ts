import type { JSONRPCMessage, Transport, TransportSendOptions } from "@modelcontextprotocol/client";
import type { JsonRpcResponse, RawClientDispatch } from "@modelcontextprotocol/ext-tasks/client";

/**
 * A transport that also sends its own requests. The client of the SDK does not see the answers to these requests.
 */
export interface RawTransport extends Transport {
  readonly dispatch: RawClientDispatch;
}

/** The first id of the requests that the transport itself sends. */
const firstId = 1_000_000;

/** Returns a transport that can also send its own requests over the given transport. */
export function withRawDispatch(inner: Transport): RawTransport {
  const waiting = new Map<number, (response: JsonRpcResponse) => void>();
  let nextId = firstId;
  const take = (message: JSONRPCMessage): boolean => {
    const { id, result, error } = message as { id?: unknown; result?: never; error?: never };
    const resolve = typeof id === "number" && !("method" in message) ? waiting.get(id) : undefined;
    if (resolve === undefined) return false;
    waiting.delete(id as number);
    resolve(error === undefined ? { kind: "result", result: result as never } : { kind: "error", error });
    return true;
  };
  const outer: RawTransport = {
    start() {
      inner.onclose = () => outer.onclose?.();
      inner.onerror = (error) => outer.onerror?.(error);
      inner.onmessage = (message, extra) => {
        if (!take(message)) outer.onmessage?.(message, extra);
      };
      return inner.start();
    },
    send: (message: JSONRPCMessage, options?: TransportSendOptions) => inner.send(message, options),
    close: () => inner.close(),
    setProtocolVersion: (version: string) => inner.setProtocolVersion?.(version),
    dispatch(request) {
      const id = nextId;
      nextId += 1;
      return new Promise((resolve, reject) => {
        waiting.set(id, resolve);
        inner.send({ jsonrpc: "2.0", id, ...(request as object) } as JSONRPCMessage).catch(reject);
      });
    },
  };
  return outer;
}
