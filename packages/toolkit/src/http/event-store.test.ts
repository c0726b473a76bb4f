import { describe, expect, it } from "vitest";
import { createEventStore } from "./event-store.ts";

const message = (id: number) => ({ jsonrpc: "2.0" as const, id, result: {} });

describe("the events of a session", () => {
  it("are sent again from where a stream broke, of that stream alone", async () => {
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

  it("are forgotten in time: a session does not grow with its age", async () => {
    const store = createEventStore();
    for (let id = 0; id < 300; id++) await store.storeEvent("a", message(id));
    expect(await store.getStreamIdForEventId?.("44")).toBeUndefined();
    expect(await store.getStreamIdForEventId?.("45")).toBe("a");
    await expect(store.replayEventsAfter("1", { send: async () => {} })).rejects.toThrow(/no longer kept/);
  });
});
