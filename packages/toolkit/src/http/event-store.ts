import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";
import type { Holding, Shares } from "../limits/shares.ts";

/** The maximum number of messages that a session stores for a client whose stream broke. */
const maxEvents = 256;
const maxBytes = 4 * 1024 * 1024;

/**
 * The maximum number of bytes that all sessions of a server store together. Above this maximum, the owner
 * with the most bytes loses its oldest messages.
 */
export const maxStoredBytes = 64 * 1024 * 1024;

/** A stored message; its bytes count for its owner. */
export interface StoredEvent extends Holding {
  readonly stream: string;
  readonly message: JSONRPCMessage;
  readonly size: number;
}

/** The data that the event stores of all sessions share, and the callback of one session. */
export interface EventStoreDeps {
  readonly owner: string;
  /** Counts the stored bytes of all sessions. */
  readonly shares: Shares<StoredEvent>;
  /** Called with each message to the client. */
  readonly onStored: (message: JSONRPCMessage) => void;
}

/** The stored messages of one session. */
export interface SessionEventStore extends EventStore {
  /** Deletes all messages when the session has ended. */
  clear(): void;
}

/**
 * Stores the last messages of one session, so that a client whose stream broke can resume the stream. Older
 * messages are dropped, so that memory does not grow with the age or the number of sessions. The last message
 * is always stored, even if it alone exceeds the limit.
 */
export function createEventStore({ owner, shares, onStored }: EventStoreDeps): SessionEventStore {
  const events = new Map<string, StoredEvent>();
  let count = 0;
  let storedBytes = 0;
  const drop = (id: string): void => {
    const event = events.get(id);
    if (event === undefined) return;
    events.delete(id);
    storedBytes -= event.size;
    shares.delete(event);
  };
  const dropOldest = (): void => {
    for (const id of events.keys()) {
      if (events.size === 1 || (events.size <= maxEvents && storedBytes <= maxBytes)) return;
      drop(id);
    }
  };
  return {
    async storeEvent(stream, message) {
      count += 1;
      const id = String(count);
      const size = Buffer.byteLength(JSON.stringify(message));
      const event: StoredEvent = { stream, message, size, owner, giveWay: () => drop(id) };
      events.set(id, event);
      storedBytes += size;
      shares.add(event);
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
        // An empty message is not sent again, because it only marks the start of a stream.
        if (isNext && "jsonrpc" in event.message) await send(id, event.message);
      }
      return stream;
    },
    clear() {
      for (const id of [...events.keys()]) drop(id);
    },
  };
}
