import { isJSONRPCRequest, type JSONRPCMessage } from "@modelcontextprotocol/server";

/** The requests of a session that have no response yet. */
export interface PendingRequests {
  readonly size: number;
  /** Records a message from the client; a cancelled request gets no response. */
  onReceived(message: JSONRPCMessage): void;
  /** Records a message to the client. */
  onSent(message: JSONRPCMessage): void;
}

/** The maximum number of tracked ids. Clients choose ids and could otherwise fill the memory. */
const maxTracked = 1_024;

/** Creates the empty list of a new session. */
export function createPendingRequests(): PendingRequests {
  const ids = new Set<unknown>();
  return {
    get size() {
      return ids.size;
    },
    onReceived(message) {
      if (isJSONRPCRequest(message)) {
        if (ids.size < maxTracked) ids.add(message.id);
      } else if ("method" in message && message.method === "notifications/cancelled") {
        ids.delete(message.params?.["requestId"]);
      }
    },
    onSent(message) {
      if (!("method" in message)) ids.delete(message.id);
    },
  };
}
