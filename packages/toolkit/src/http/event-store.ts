import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

/** How much a session keeps for a client whose stream broke. */
const mostEvents = 256;
const mostBytes = 4 * 1024 * 1024;

interface Event {
  readonly stream: string;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
}

/**
 * Keeps the last messages of one session, so that a client whose stream broke can come back for
 * what it missed. What is older is forgotten: a session must not grow with its age, nor with the
 * length of its answers. The last message is kept however long it is.
 */
export function createEventStore(onStored: (message: JSONRPCMessage) => void = () => {}): EventStore {
  const events = new Map<string, Event>();
  let count = 0;
  let kept = 0;
  const forget = (): void => {
    for (const [id, { bytes }] of events) {
      if (events.size === 1 || (events.size <= mostEvents && kept <= mostBytes)) return;
      events.delete(id);
      kept -= bytes;
    }
  };
  return {
    async storeEvent(stream, message) {
      count += 1;
      const id = String(count);
      const bytes = Buffer.byteLength(JSON.stringify(message));
      events.set(id, { stream, message, bytes });
      kept += bytes;
      onStored(message);
      forget();
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
