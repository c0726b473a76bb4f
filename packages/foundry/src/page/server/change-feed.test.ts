import { afterEach, describe, expect, it } from "vitest";
import { ChangeFeed, type FeedEntry } from "./change-feed.ts";
import { FakeSource } from "./testing/fake-source.ts";

let feed: ChangeFeed;
afterEach(() => feed.close());

/** Subscribes, and collects the changes as `spec revision`. */
async function listen(after?: string) {
  const entries: FeedEntry[] = [];
  const subscription = await feed.subscribe(after, (entry) => void entries.push(entry));
  return { ...subscription, entries, seen: () => entries.map(shortOf) };
}
const shortOf = ({ change }: FeedEntry) => `${change.spec_id} ${change.revision ?? "gone"}`;

/** Opens a feed, and a function that waits until it has published some changes. */
function open(keptChanges = 1_000) {
  const source = new FakeSource();
  feed = new ChangeFeed({ open: async () => source, keptChanges, retryMs: 1 });
  return source;
}
const settled = (seen: () => readonly string[], expected: readonly string[]) =>
  expect.poll(seen).toEqual(expected);

describe("the feed of changes", () => {
  it("reports every state once, however many notices there are", async () => {
    const source = open();
    const { seen, entries } = await listen();
    source.change("a", "1-x", 3);
    await settled(seen, ["a 1-x"]);
    source.notify("a");
    source.change("b", "1-y");
    await settled(seen, ["a 1-x", "b 1-y"]);
    source.change("a", "2-x");
    await settled(seen, ["a 1-x", "b 1-y", "a 2-x"]);
    expect(entries.map(({ id }) => id)).toEqual([1, 2, 3].map((number) => `${feed.id}.${number}`));
    expect(entries[0]?.change).toEqual({ kind: "spec", spec_id: "a", revision: "1-x", folder: "active" });
  });

  it("does not report the state in which the first subscriber finds a spec", async () => {
    const source = open();
    source.change("a", "1-x");
    const { seen } = await listen();
    source.notify("a");
    source.change("b", "1-y");
    await settled(seen, ["b 1-y"]);
    source.change("a", "2-x");
    await settled(seen, ["b 1-y", "a 2-x"]);
    source.change("a", "1-x");
    await settled(seen, ["b 1-y", "a 2-x", "a 1-x"]);
  });

  it("stops watching if the first states cannot be read, and starts again for the next subscriber", async () => {
    const source = open();
    source.errors.push(new Error("no database"));
    await expect(listen()).rejects.toThrow("no database");
    expect(source.listeners.size).toBe(0);
    const { seen } = await listen();
    source.change("a", "1-x");
    await settled(seen, ["a 1-x"]);
  });

  it("reports a spec that is deleted and created again", async () => {
    const source = open();
    const { seen } = await listen();
    source.notify("a", 2);
    await settled(seen, ["a gone"]);
    source.change("a", "1-x");
    await settled(seen, ["a gone", "a 1-x"]);
  });

  it("resumes without loss or repeat, also after a time without subscribers", async () => {
    const source = open();
    const first = await listen();
    expect([first.isResumed, first.position]).toEqual([false, `${feed.id}.0`]);
    source.change("a", "1-x");
    await settled(first.seen, ["a 1-x"]);
    first.unsubscribe();
    source.change("a", "2-x");
    source.change("b", "1-y");
    await expect.poll(async () => (await listen()).position).toBe(`${feed.id}.3`);
    const again = await listen(first.entries[0]?.id);
    source.change("c", "1-z");
    await settled(again.seen, ["c 1-z"]);
    expect([again.isResumed, again.missed.map(shortOf)]).toEqual([true, ["a 2-x", "b 1-y"]]);
    expect(first.seen()).toEqual(["a 1-x"]);
    const current = await listen(again.entries[0]?.id);
    expect([current.isResumed, current.missed]).toEqual([true, []]);
  });

  it("does not resume from an id of another feed, of the future, or of a change that is not kept", async () => {
    const source = open(2);
    const { seen } = await listen();
    for (const revision of ["1-x", "2-x", "3-x"]) {
      source.change("a", revision);
      await expect.poll(seen).toContain(`a ${revision}`);
    }
    const outcomes = [];
    for (const after of [
      "other.1",
      `${feed.id}.4`,
      `${feed.id}.0`,
      `${feed.id}.x`,
      "",
      "1",
      `${feed.id}.1`,
    ]) {
      const { isResumed, missed } = await listen(after);
      outcomes.push([isResumed, missed.map(shortOf)]);
    }
    expect(outcomes).toEqual([...Array(6).fill([false, []]), [true, ["a 2-x", "a 3-x"]]]);
  });

  it("reads again while the store is unavailable, and loses no change", async () => {
    const source = open();
    const { seen } = await listen();
    source.errors.push(...Array.from({ length: 5 }, () => new Error("unavailable")));
    source.change("a", "1-x");
    source.change("b", "1-y");
    await expect.poll(() => seen().toSorted()).toEqual(["a 1-x", "b 1-y"]);
    expect(source.reads).toBe(7);
  });

  it("opens its source with the first subscriber, and again if that failed", async () => {
    const source = new FakeSource();
    let tries = 0;
    feed = new ChangeFeed({
      open: async () => {
        tries += 1;
        if (tries === 1) throw new Error("no database");
        return source;
      },
    });
    await expect(listen()).rejects.toThrow("no database");
    await listen();
    await listen();
    expect([tries, source.listeners.size]).toEqual([2, 1]);
    await feed.close();
    expect(source.listeners.size).toBe(0);
  });
});
