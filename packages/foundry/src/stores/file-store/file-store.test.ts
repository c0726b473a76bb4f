import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
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
