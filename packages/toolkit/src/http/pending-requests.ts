import { isJSONRPCRequest, type JSONRPCMessage } from "@modelcontextprotocol/server";

/** The requests of a session that wait for their answers. */
export interface Unanswered {
  readonly size: number;
  /** Hears of what the client sent and the session took; a request that is cancelled gets no answer. */
  take(message: JSONRPCMessage): void;
  /** Hears of what is sent to the client. */
  send(message: JSONRPCMessage): void;
}

/** More are not told apart: a client chooses its ids, and how many it uses. */
const mostKept = 1_024;

/** Creates the list of a session. */
export function createUnanswered(): Unanswered {
  const ids = new Set<unknown>();
  return {
    get size() {
      return ids.size;
    },
    take(message) {
      if (isJSONRPCRequest(message)) {
        if (ids.size < mostKept) ids.add(message.id);
      } else if ("method" in message && message.method === "notifications/cancelled") {
        ids.delete(message.params?.["requestId"]);
      }
    },
    send(message) {
      if (!("method" in message)) ids.delete(message.id);
    },
  };
}
