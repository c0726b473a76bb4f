import { mkdir, mkdtemp, rename as moveTo, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FaultyFileSystem } from "../../../files/durable/testing/faulty-file-system.ts";
import type { Plan } from "../../model/change.ts";
import { describeSpecStore } from "../spec-store.suite.ts";
import { sampleDocument } from "../testing/sample-document.ts";
import { openFileStore } from "./file-store.ts";
import { createSpecFiles } from "./spec-files.ts";

describe("openFileStore", () => {
  describeSpecStore(async () => {
    const root = await mkdtemp(join(tmpdir(), "foundry-store-"));
    const store = openFileStore({ root });
    return {
      store,
      reopen: async () => openFileStore({ root }),
      async close() {
        await store.close();
        await rm(root, { recursive: true, force: true });
      },
    };
  });
});

describe("a file that is no spec any more", () => {
  const open = async () => {
    const root = await mkdtemp(join(tmpdir(), "foundry-store-"));
    const store = openFileStore({ root });
    await store.create("one", sampleDocument("one"), "pending");
    await store.change("one", () => ({
      edits: [{ op: "set", path: ["title"], value: "Better" }],
      result: undefined,
    }));
    return { root, store, file: join(root, "pending/one.json") };
  };

  it.each([
    ["half a file", (text: string) => text.slice(0, 200)],
    ["an empty one", () => ""],
    ["something else", () => "[1, 2]"],
    ["no UTF-8", () => Buffer.from([0xff, 0xfe, 0x00])],
  ])("%s is listed in its history, and can be rolled back", async (_, damage) => {
    const { root, store, file } = await open();
    const text = await readFile(file, "utf8");
    const good = (await store.read("one")).revision;
    await writeFile(file, damage(text));
    await expect(store.read("one")).rejects.toThrow("Cannot read the spec");
    const [present, before] = await store.history("one");
    expect([present?.action, before?.revision]).toEqual(["edited outside", good]);
    const { snapshot } = await store.rollBack("one", good);
    expect(await readFile(file, "utf8")).toBe(text);
    expect(snapshot.model.title).toBe("Better");
    await store.close();
    await rm(root, { recursive: true, force: true });
  });
});

describe("what others do to a file", () => {
  const rename = (title: string) => () => ({
    edits: [{ op: "set" as const, path: ["title"], value: title }],
    result: title,
  });
  const open = async () => {
    const root = await mkdtemp(join(tmpdir(), "foundry-store-"));
    const store = openFileStore({ root });
    await store.create("one", sampleDocument("one"), "pending");
    return { root, store, file: join(root, "pending/one.json") };
  };

  it("is a revision of its own, also where it brings an old text back", async () => {
    const { root, store, file } = await open();
    const key = { key: "k", fingerprint: "f" };
    const old = await readFile(file, "utf8");
    const { snapshot: made } = await store.change("one", rename("Better"), { key });
    // Like git checkout, these calls create a new file with the old text.
    await rm(file);
    await writeFile(file, old);
    const { revision } = await store.read("one");
    expect([made.revision.slice(0, 2), revision.slice(0, 2)]).toEqual(["2-", "3-"]);
    expect((await store.history("one")).map(({ revision: each }) => each)).toContain(made.revision);
    expect(await store.change("one", rename("Better"), { key })).toMatchObject({ isRepeated: true });
    await store.change("one", rename("Best"));
    expect(Buffer.from(await store.readRevision("one", made.revision)).toString()).toContain("Better");
    await store.close();
    await rm(root, { recursive: true, force: true });
  });

  it("keeps the history, whatever they make of the text", async () => {
    const { root, store, file } = await open();
    for (const title of ["A", "B", "C"]) await store.change("one", rename(title));
    const before = await store.history("one");
    await writeFile(file, JSON.stringify(JSON.parse(await readFile(file, "utf8")), null, 7));
    await store.change("one", rename("D"));
    const after = await store.history("one");
    expect(after.slice(2)).toEqual(before);
    expect(after.slice(0, 2).map(({ action }) => action)).toEqual(["change", "edited outside"]);
    await store.close();
    await rm(root, { recursive: true, force: true });
  });

  it("is a change where the file comes into another folder", async () => {
    const { root, store, file } = await open();
    await store.change("one", rename("A"));
    const { revision } = await store.read("one");
    await mkdir(join(root, "archived"), { recursive: true });
    await moveTo(file, join(root, "archived/one.json"));
    const moved = await store.read("one");
    expect([moved.folder, moved.revision === revision]).toEqual(["archived", false]);
    await store.close();
    await rm(root, { recursive: true, force: true });
  });
});

it("acknowledges changes that are written together only after all of them are durable", async () => {
  const root = await mkdtemp(join(tmpdir(), "foundry-store-"));
  await openFileStore({ root }).create("one", sampleDocument("one"), "active");
  const { fs, calls } = new FaultyFileSystem(createSpecFiles(root));
  const store = openFileStore({ root, fs });
  await store.change("one", rename("task-1-1", "First"), { key: { key: "first", fingerprint: "first" } });
  calls.length = 0;
  const changes = ["a", "b", "c"].map(async (name) => {
    const key = { key: name, fingerprint: name };
    await store.change("one", rename("task-1-1", name), name === "b" ? {} : { key });
    calls.push(`acknowledged ${name}`);
  });
  await Promise.all(changes);
  const steps = calls.filter((call) =>
    /^(sync|rename|replace|append|acknowledged|unlink one.lock)/.test(call),
  );
  const toShort = (step: string) => step.replaceAll(/[0-9a-f]{32}/g, "answer").replace(/ (?:[[{].*)$/s, "");
  expect(steps.map(toShort)).toEqual([
    // The state, which names both stored responses.
    ...["sync", "rename .one.json.tmp one.json", "syncFolder state"],
    // Both responses.
    ...["sync", "sync", "rename .answer.json.tmp answer.json", "rename .answer.json.tmp answer.json"],
    "syncFolder one",
    // The text with all three changes, their history, and the commit point.
    ...["sync", "append log.jsonl", "replace .one.json.tmp one.json", "syncFolder active"],
    "unlink one.lock",
    ...["acknowledged a", "acknowledged b", "acknowledged c"],
  ]);
  expect((await store.history("one")).map(({ revision }) => Number.parseInt(revision, 10))).toEqual([
    5, 4, 3, 2, 1,
  ]);
  await store.close();
  await rm(root, { recursive: true, force: true });
});

it("makes changes separately if they cannot be written together", async () => {
  const root = await mkdtemp(join(tmpdir(), "foundry-store-"));
  await openFileStore({ root }).create("one", sampleDocument("one"), "active");
  const disk = createSpecFiles(root);
  let attempts = 0;
  const replace: typeof disk.replace = async (...args) => {
    // The disk is full while the batch is written, and while the second change is written again.
    attempts++;
    if (attempts === 1 || attempts === 3) throw Object.assign(new Error("full"), { code: "ENOSPC" });
    return disk.replace(...args);
  };
  const store = openFileStore({ root, fs: { ...disk, replace } });
  const made = await Promise.allSettled(
    ["a", "b", "c"].map((name, index) => store.change("one", rename(`task-1-${index + 1}`, name))),
  );
  expect(made.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  const { model, revision } = await store.read("one");
  expect([1, 2, 3].map((number) => model.node(`task-1-${number}`)?.title)).toEqual(["a", "task-1-2", "c"]);
  expect(revision).toMatch(/^3-/);
  await store.close();
  await rm(root, { recursive: true, force: true });
});

const rename =
  (task: string, value: string): Plan<string> =>
  () => ({ edits: [{ op: "set", path: ["hierarchy", task, "title"], value }], result: value });
