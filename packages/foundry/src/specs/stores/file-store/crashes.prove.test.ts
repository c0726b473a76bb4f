import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FaultyFileSystem } from "../../../files/durable/testing/faulty-file-system.ts";
import type { Plan } from "../../model/change.ts";
import type { SpecStore } from "../spec-store.ts";
import { sampleDocument } from "../testing/sample-document.ts";
import { openFileStore } from "./file-store.ts";
import { createSpecFiles } from "./spec-files.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "foundry-crash-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const key = { key: "k", fingerprint: "f" };

/** Each time it is made it can be seen: a sign more in the title. */
const append: Plan<string> = (spec) => {
  const title = `${spec.node("task-1-1")?.title}+`;
  return { edits: [{ op: "set", path: ["hierarchy", "task-1-1", "title"], value: title }], result: title };
};

/** Takes the first task that is free. */
const claim: Plan<string> = (_spec, { leases, newToken }) => {
  const task_id = ["task-1-1", "task-1-2", "task-1-3"].find((id) => !leases.has(id)) ?? "none";
  const lease = { task_id, token: newToken, holder: "a", since: "2026", until: "2027" };
  return { edits: [], result: task_id, leases: { [task_id]: lease } };
};

const stay: Plan<string> = () => ({ edits: [], result: "moved" });

/** What a store says of itself, as far as calls could have changed it. */
async function effectOf(store: SpecStore) {
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
];

/** Only what writes can leave something half done. */
const writes = /^(create|writev|chmod|sync|close|mkdir|rename|link|unlink|append)/;

const touch: Plan<string> = () => ({
  edits: [{ op: "set", path: ["hierarchy", "task-1-2", "title"], value: "other" }],
  result: "",
});

/** The store after its process died behind some step of a call; undefined behind the last. */
async function dieAt(call: (store: SpecStore) => Promise<unknown>, crashAt: number) {
  await rm(root, { recursive: true, force: true });
  const first = openFileStore({ root });
  await first.create("one", sampleDocument("one"), "pending");
  await first.close();
  const watched = new FaultyFileSystem(createSpecFiles(root), { crashAt, crash: "after" });
  await call(openFileStore({ root, fs: watched.fs })).catch(() => undefined);
  // The process that "died" lives on, so its lock would count as held.
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
