import { cpSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isContractError } from "@foundry-mcp/contract";
import { type FileCalls, syncCalls } from "@foundry-mcp/toolkit/files";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FaultyFileSystem } from "../../../files/durable/testing/faulty-file-system.ts";
import type { Plan } from "../../model/change.ts";
import type { CopyableStore } from "../spec-export.ts";
import { sampleDocument } from "../testing/sample-document.ts";
import { openFileStore } from "./file-store.ts";
import { createSpecFiles } from "./spec-files.ts";

/** File calls that do not wait for the disk, because this test simulates no crashes. */
const calls: FileCalls = { ...syncCalls, fsync: async () => {} };

const open = (root: string) => openFileStore({ root, fs: createSpecFiles(root, { calls }) });

const title =
  (value: string): Plan<string> =>
  () => ({ edits: [{ op: "set", path: ["title"], value }], result: value });
const key = { key: "k", fingerprint: "f" };
const lease = { task_id: "task-1-1", token: "1-a", holder: "a", since: "2026", until: "2027" };

/** All operations of a store. `revision` is an earlier revision of the spec "one". */
const operations: Readonly<Record<string, (store: CopyableStore, revision: string) => Promise<unknown>>> = {
  list: (store) => store.list(),
  read: (store) => store.read("one"),
  readText: (store) => store.readText("one"),
  change: (store) => store.change("one", title("Changed")),
  "change with a key": (store) => store.change("one", title("Changed"), { key }),
  "change of leases": (store) =>
    store.change("one", () => ({ edits: [], result: 0, leases: { "task-1-1": lease } }), { key }),
  "change after an edit outside": (store) => store.change("edited", title("Changed")),
  create: (store) => store.create("new", sampleDocument("new"), "active", { key }),
  move: (store) => store.move("one", "active", title("Moved"), { key }),
  leases: (store) => store.leases("one"),
  history: (store) => store.history("one"),
  readRevision: (store, revision) => store.readRevision("one", revision),
  rollBack: (store, revision) => store.rollBack("one", revision),
  "rollBack of a file that is no spec": (store, revision) => store.rollBack("broken", revision),
  exportSpec: async (store) => {
    for await (const { text } of (await store.exportSpec("one")).past())
      expect(text.length).toBeGreaterThan(0);
  },
  importSpec: async (store) => {
    const exported = await open(source).exportSpec("one");
    await store.importSpec(exported, { overwrite: true });
  },
  probe: (store) => store.probe(),
  close: (store) => store.close(),
};

const codes = ["ENOENT", "EACCES", "EIO", "ENOTDIR"];

let folder: string;
let source: string;
let first: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "foundry-faults-"));
  source = join(folder, "source");
  const store = open(source);
  for (const id of ["one", "edited", "broken"]) {
    await store.create(id, { ...sampleDocument("one"), spec_id: id }, "pending");
    if (id === "one") first = (await store.read("one")).revision;
    await store.change(id, title("Second"));
  }
  await store.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let copies = 0;

/**
 * Runs an operation on a copy of the specs with a fault at one call. Returns the calls, and the error that
 * was thrown.
 */
async function runWith(operation: string, faults: { failAt?: number; code?: string }) {
  const root = join(folder, `copy-${copies++}`);
  cpSync(source, root, { recursive: true });
  writeFileSync(
    join(root, "pending/edited.json"),
    JSON.stringify({ ...sampleDocument("one"), title: "Edited" }),
  );
  writeFileSync(join(root, "pending/broken.json"), "{");
  // The file gets an old time. A file that was written a moment ago would be read again and again, because it
  // may be incomplete.
  utimesSync(join(root, "pending/broken.json"), 1, 1);
  const revision =
    operation === "rollBack of a file that is no spec"
      ? ((await open(root).history("broken"))[1]?.revision ?? "")
      : first;
  const faulty = new FaultyFileSystem(createSpecFiles(root, { calls }), faults);
  const store = openFileStore({ root, fs: faulty.fs });
  const run = operations[operation] as (store: CopyableStore, revision: string) => Promise<unknown>;
  const thrown: unknown = await run(store, revision).then(
    () => undefined,
    (err: unknown) => err ?? "nothing",
  );
  // After any fault, the spec can still be read.
  expect((await open(root).read("one")).id).toBe("one");
  rmSync(root, { recursive: true, force: true });
  return { calls: faulty.calls, thrown };
}

describe("a file system error at any call", () => {
  it.each(Object.keys(operations))(
    "of %s is a typed failure, or none",
    async (operation) => {
      const { calls: made, thrown } = await runWith(operation, {});
      expect(thrown).toBeUndefined();
      const untyped: string[] = [];
      for (const code of codes) {
        for (const [index, call] of made.entries()) {
          const { thrown } = await runWith(operation, { failAt: index + 1, code });
          if (thrown === undefined) continue;
          if (!isContractError(thrown)) untyped.push(`${code} at ${index + 1} ${call}: ${String(thrown)}`);
          else if (thrown.code === "INTERNAL_ERROR") untyped.push(`${code} at ${call}: ${thrown.message}`);
        }
      }
      expect(untyped).toEqual([]);
    },
    240_000,
  );
});
