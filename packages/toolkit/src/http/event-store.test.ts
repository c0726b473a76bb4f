import { describe, expect, it } from "vitest";
import { createShares } from "../limits/shares.ts";
import { createEventStore as createSharedEventStore, type StoredEvent } from "./event-store.ts";

const message = (id: number) => ({ jsonrpc: "2.0" as const, id, result: {} });

const shareOf = (limit: number) => createShares<StoredEvent>({ limit });
const createEventStore = (owner = "ann", shares = shareOf(2 ** 30)) =>
  createSharedEventStore({ owner, shares, onStored: () => {} });

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

  it("gives way to the sessions of others where all together hold too much, and gives back what it held", async () => {
    const shares = shareOf(1_000);
    const ann = [createEventStore("ann", shares), createEventStore("ann", shares)];
    const bob = createEventStore("bob", shares);
    const text = (length: number) => ({
      jsonrpc: "2.0" as const,
      id: 1,
      result: { text: "x".repeat(length) },
    });
    const overhead = JSON.stringify(text(0)).length;
    for (const store of [...ann, ...ann]) await store.storeEvent("a", text(250 - overhead));
    expect(shares.total).toBe(1_000);
    await bob.storeEvent("b", text(500 - overhead));
    const isStored = (store: typeof bob, id: string) => store.getStreamIdForEventId?.(id);
    expect(await Promise.all(ann.flatMap((store) => [isStored(store, "1"), isStored(store, "2")]))).toEqual([
      undefined,
      "a",
      undefined,
      "a",
    ]);
    expect(await isStored(bob, "1")).toBe("b");
    for (const store of [...ann, bob]) store.clear();
    expect(shares.total).toBe(0);
  });
});
