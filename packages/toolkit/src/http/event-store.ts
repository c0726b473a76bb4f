import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

/** The most a session stores for a client whose stream broke. */
const maxEvents = 256;
const maxBytes = 4 * 1024 * 1024;

interface Event {
  readonly stream: string;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
}

/**
 * Stores the last messages of one session, so that a client whose stream broke can resume it. Older
 * messages are dropped: memory must not grow with the age of a session. The last message is stored
 * whatever its size.
 */
export function createEventStore(onStored: (message: JSONRPCMessage) => void = () => {}): EventStore {
  const events = new Map<string, Event>();
  let count = 0;
  let storedBytes = 0;
  const dropOldest = (): void => {
    for (const [id, { bytes }] of events) {
      if (events.size === 1 || (events.size <= maxEvents && storedBytes <= maxBytes)) return;
      events.delete(id);
      storedBytes -= bytes;
    }
  };
  return {
    async storeEvent(stream, message) {
      count += 1;
      const id = String(count);
      const bytes = Buffer.byteLength(JSON.stringify(message));
      events.set(id, { stream, message, bytes });
      storedBytes += bytes;
      onStored(message);
      dropOldest();
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
