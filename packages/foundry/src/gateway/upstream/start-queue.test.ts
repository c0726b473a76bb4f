import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { StartQueue } from "./start-queue.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Adds upstreams that connect when they are told to. */
function open(...names: readonly string[]) {
  const queue = new StartQueue();
  const started: string[] = [];
  const settle: Record<string, () => void> = {};
  for (const name of names) {
    const connected = new Promise<void>((resolve) => {
      settle[name] = resolve;
    });
    queue.add({ start: () => void started.push(name), started: connected });
  }
  return { queue, started, settle };
}

describe("a queue of upstreams", () => {
  it("starts nothing until a list has been answered, and then one upstream after the other", async () => {
    const { queue, started, settle } = open("a", "b");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(started).toEqual([]);
    queue.open();
    await vi.advanceTimersByTimeAsync(60);
    expect(started).toEqual(["a"]);
    settle["a"]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(started).toEqual(["a", "b"]);
  });

  it("starts although lists follow one another without a pause", async () => {
    const { queue, started } = open("a");
    for (let list = 0; list < 5; list += 1) {
      queue.open();
      await vi.advanceTimersByTimeAsync(20);
    }
    expect(started).toEqual(["a"]);
  });

  it("starts without a list too, and does not wait for an upstream that hangs", async () => {
    const { started } = open("a", "b");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(started).toEqual(["a"]);
    await vi.advanceTimersByTimeAsync(250);
    expect(started).toEqual(["a", "b"]);
  });

  it("starts everything at once for a caller that waits for all, and nothing after it was closed", async () => {
    const { queue, started } = open("a", "b");
    queue.startAll();
    expect(started).toEqual(["a", "b"]);
    const closed = open("c");
    closed.queue.close();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(closed.started).toEqual([]);
    expect(started).toEqual(["a", "b"]);
  });
});
