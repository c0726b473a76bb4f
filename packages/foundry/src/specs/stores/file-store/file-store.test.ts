import { mkdir, mkdtemp, rename as moveTo, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeSpecStore } from "../spec-store.suite.ts";
import { sampleDocument } from "../testing/sample-document.ts";
import { openFileStore } from "./file-store.ts";

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
    // As git checkout does it: a new file of the old text.
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
