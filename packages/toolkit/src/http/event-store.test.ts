import { describe, expect, it } from "vitest";
import { createEventStore } from "./event-store.ts";

const message = (id: number) => ({ jsonrpc: "2.0" as const, id, result: {} });

describe("the event store of a session", () => {
  it("replays the messages of one stream after an event", async () => {
    const store = createEventStore();
    const start = await store.storeEvent("a", {} as never);
    await store.storeEvent("b", message(1));
    const second = await store.storeEvent("a", message(2));
    await store.storeEvent("a", message(3));
    const replay = async (from: string) => {
      const sent: unknown[] = [];
      const stream = await store.replayEventsAfter(from, { send: async (_id, each) => void sent.push(each) });
      return [stream, sent];
    };
    expect(await replay(start)).toEqual(["a", [message(2), message(3)]]);
    expect(await replay(second)).toEqual(["a", [message(3)]]);
    expect(await store.getStreamIdForEventId?.(second)).toBe("a");
  });

  it("drops the oldest messages beyond a number", async () => {
    const store = createEventStore();
    for (let id = 0; id < 300; id++) await store.storeEvent("a", message(id));
    expect(await store.getStreamIdForEventId?.("44")).toBeUndefined();
    expect(await store.getStreamIdForEventId?.("45")).toBe("a");
    await expect(store.replayEventsAfter("1", { send: async () => {} })).rejects.toThrow(/no longer kept/);
  });

  it("drops the oldest messages beyond a number of bytes, but never the last", async () => {
    const store = createEventStore();
    const long = (bytes: number) => ({
      jsonrpc: "2.0" as const,
      id: 1,
      result: { text: "é".repeat(bytes / 2) },
    });
    const stored = async () => {
      const found: number[] = [];
      for (let id = 1; id <= 20; id++) if (await store.getStreamIdForEventId?.(String(id))) found.push(id);
      return found;
    };
    const mebibyte = 1024 * 1024;
    for (let times = 0; times < 9; times++) await store.storeEvent("a", long(mebibyte));
    expect(await stored()).toEqual([7, 8, 9]);
    await store.storeEvent("a", long(5 * mebibyte));
    expect(await stored()).toEqual([10]);
    await store.storeEvent("a", message(1));
    expect(await stored()).toEqual([11]);
    for (let times = 0; times < 3; times++) await store.storeEvent("a", long(mebibyte));
    expect(await stored()).toEqual([11, 12, 13, 14]);
  });
});
