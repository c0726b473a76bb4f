import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FaultyFileSystem } from "../../../files/durable/testing/faulty-file-system.ts";
import type { Plan } from "../../model/change.ts";
import type { ShelfPlan, SpecStore } from "../spec-store.ts";
import { sampleDocument } from "../testing/sample-document.ts";
import { openFileStore } from "./file-store.ts";
import { createSpecFiles } from "./spec-files.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "foundry-crash-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const key = { key: "k", fingerprint: "f" };

/** Appends a character to a title, so that the title shows how often the change was made. */
const append: Plan<string> = (spec) => {
  const title = `${spec.node("task-1-1")?.title}+`;
  return { edits: [{ op: "set", path: ["hierarchy", "task-1-1", "title"], value: title }], result: title };
};

/** Claims the first task that has no lease. */
const claim: Plan<string> = (_spec, { leases, newToken }) => {
  const task_id = ["task-1-1", "task-1-2", "task-1-3"].find((id) => !leases.has(id)) ?? "none";
  const lease = { task_id, token: newToken, holder: "a", since: "2026", until: "2027" };
  return { edits: [], result: task_id, leases: { [task_id]: lease } };
};

const stay: Plan<string> = () => ({ edits: [], result: "moved" });

const said: ShelfPlan<string> = () => ({ result: "reshelved" });

/** Returns the data of a store that the calls could have changed. */
async function effectOf(store: SpecStore) {
  const [trashed] = await store.trash();
  if (trashed !== undefined) return { trashed: trashed.id, listed: (await store.list()).specs.length };
  const { folder, model } = await store.read("one");
  const leases = [...(await store.leases("one")).keys()];
  return { folder, title: model.node("task-1-1")?.title, leases };
}

const calls: readonly [
  name: string,
  call: (store: SpecStore) => Promise<{ result: string }>,
  effect: object,
][] = [
  [
    "a change of the text",
    (store) => store.change("one", append, { key }),
    { folder: "pending", title: "task-1-1+", leases: [] },
  ],
  [
    "a claim",
    (store) => store.change("one", claim, { key }),
    { folder: "pending", title: "task-1-1", leases: ["task-1-1"] },
  ],
  [
    "a move",
    (store) => store.move("one", "active", stay, { key }),
    { folder: "active", title: "task-1-1", leases: [] },
  ],
  [
    "a move with a change",
    (store) => store.move("one", "active", append, { key }),
    { folder: "active", title: "task-1-1+", leases: [] },
  ],
  [
    "a batch of changes and a claim",
    async (store) => {
      const keyOf = (name: string) => ({ key: { ...key, key: name } });
      const changes = [
        store.change("one", append, keyOf("a")),
        store.change("one", claim, keyOf("b")),
        store.change("one", append, keyOf("c")),
      ];
      const results = (await Promise.all(changes)).map(({ result }) => result);
      return { result: results.join(", ") };
    },
    { folder: "pending", title: "task-1-1++", leases: ["task-1-1"] },
  ],
];

/** Calls that move a spec to the trash or restore it, with the state before and after each call. */
const reshelved: readonly [
  name: string,
  prepare: (store: SpecStore) => Promise<unknown>,
  call: (store: SpecStore) => Promise<{ result: string }>,
  effects: Readonly<Record<"before" | "after", object>>,
][] = [
  [
    "a deletion",
    async () => {},
    (store) => store.remove("one", said, { key }),
    {
      before: { folder: "pending", title: "task-1-1", leases: [] },
      after: { trashed: "one", listed: 0 },
    },
  ],
  [
    "a restore",
    (store) => store.remove("one", said),
    (store) => store.restore("one", said, { key }),
    {
      before: { trashed: "one", listed: 0 },
      after: { folder: "pending", title: "task-1-1", leases: [] },
    },
  ],
];

/** Matches the calls that write. Only a crash after a write can leave an incomplete change. */
const writes = /^(create|writev|chmod|sync|close|mkdir|rename|link|unlink|append)/;

const touch: Plan<string> = () => ({
  edits: [{ op: "set", path: ["hierarchy", "task-1-2", "title"], value: "other" }],
  result: "",
});

/** Returns the store after a simulated crash at one step of a call, and the steps of the call. */
async function dieAt(
  call: (store: SpecStore) => Promise<unknown>,
  crashAt: number,
  prepare: (store: SpecStore) => Promise<unknown> = async () => {},
) {
  await rm(root, { recursive: true, force: true });
  const first = openFileStore({ root });
  await first.create("one", sampleDocument("one"), "pending");
  await prepare(first);
  await first.close();
  const watched = new FaultyFileSystem(createSpecFiles(root), { crashAt, crash: "after" });
  await call(openFileStore({ root, fs: watched.fs })).catch(() => undefined);
  // The simulated crash does not end this process, so the lock would still count as held.
  await rm(join(root, ".foundry", "locks"), { recursive: true, force: true });
  return { store: openFileStore({ root }), steps: watched.calls };
}

describe.each(calls)("%s with a key", (_name, call, effect) => {
  test("is made once, wherever the process dies, and answered the same when it is made again", async () => {
    const { steps } = await dieAt(call, Number.POSITIVE_INFINITY);
    for (const [index, step] of steps.entries()) {
      if (!writes.test(step)) continue;
      const { store } = await dieAt(call, index + 1);
      const { result } = await call(store);
      expect(await effectOf(store), `${index}: ${step}`).toEqual(effect);
      await store.change("one", touch);
      expect((await call(store)).result, `${index}: ${step}`).toBe(result);
      expect(await effectOf(store), `${index}: ${step}`).toEqual(effect);
      await store.close();
    }
  });

  test("is made once, where another change came between its death and its return", async () => {
    const { steps } = await dieAt(call, Number.POSITIVE_INFINITY);
    for (const [index, step] of steps.entries()) {
      if (!writes.test(step)) continue;
      const { store } = await dieAt(call, index + 1);
      await store.change("one", touch);
      await call(store);
      expect(await effectOf(store), `${index}: ${step}`).toEqual(effect);
      await store.close();
    }
  });
});

describe.each(reshelved)("%s with a key", (_name, prepare, call, effects) => {
  test("has happened or not, wherever the process dies, and is made once when it is made again", async () => {
    const { steps } = await dieAt(call, Number.POSITIVE_INFINITY, prepare);
    const seen = new Set<string>();
    for (const [index, step] of steps.entries()) {
      if (!writes.test(step)) continue;
      const { store } = await dieAt(call, index + 1, prepare);
      const left = await effectOf(store);
      expect([effects.before, effects.after], `${index}: ${step}`).toContainEqual(left);
      seen.add(JSON.stringify(left));
      const { result } = await call(store);
      expect(await effectOf(store), `${index}: ${step}`).toEqual(effects.after);
      expect((await call(store)).result, `${index}: ${step}`).toBe(result);
      expect(await effectOf(store), `${index}: ${step}`).toEqual(effects.after);
      await store.close();
    }
    // The test has seen crashes both before and after the commit point.
    expect(seen.size).toBe(2);
  });
});
