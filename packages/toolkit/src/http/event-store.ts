import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

/** How many messages a session keeps for a client whose stream broke. */
const mostEvents = 256;

/**
 * Keeps the last messages of one session, so that a client whose stream broke can come back for
 * what it missed. What is older is forgotten: a session must not grow with its age.
 */
export function createEventStore(onStored: (message: JSONRPCMessage) => void = () => {}): EventStore {
  const events = new Map<string, { readonly stream: string; readonly message: JSONRPCMessage }>();
  let count = 0;
  return {
    async storeEvent(stream, message) {
      count += 1;
      const id = String(count);
      events.set(id, { stream, message });
      onStored(message);
      if (events.size > mostEvents) events.delete(String(count - mostEvents));
      return id;
    },
    async getStreamIdForEventId(id) {
      return events.get(id)?.stream;
    },
    async replayEventsAfter(last, { send }) {
      const stream = events.get(last)?.stream;
      if (stream === undefined) throw new Error("The event is no longer kept");
      for (const [id, event] of events) {
        const isNext = Number(id) > Number(last) && event.stream === stream;
        // An empty message only marks where a stream began.
        if (isNext && "jsonrpc" in event.message) await send(id, event.message);
      }
      return stream;
    },
  };
}
