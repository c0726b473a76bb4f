import {
  ftruncateSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FileSystem, syncCalls } from "@foundry-mcp/toolkit/files";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Plan } from "../../model/change.ts";
import type { OverwrittenRevision, SpecStore } from "../spec-store.ts";
import { sampleDocument } from "../testing/sample-document.ts";
import { openFileStore } from "./file-store.ts";
import { createSpecFiles } from "./spec-files.ts";

let root: string;
let file: string;
let disk: FileSystem;
let store: SpecStore;
let overwritten: OverwrittenRevision[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "foundry-others-"));
  file = join(root, "pending", "one.json");
  disk = createSpecFiles(root, { calls: syncCalls });
  store = openFileStore({ root, fs: disk });
  overwritten = [];
  await store.create("one", sampleDocument("one"), "pending");
});
afterEach(async () => {
  await store.close();
  await rm(root, { recursive: true, force: true });
});

const title =
  (value: string): Plan<string> =>
  () => ({ edits: [{ op: "set", path: ["title"], value }], result: value });
const options = { onOverwritten: (each: OverwrittenRevision) => void overwritten.push(each) };

/** Replaces the file with a new file of the same name, like git checkout. */
function checkOut(text: string): void {
  rmSync(file);
  writeFileSync(file, text);
}

const textWith = (value: string) =>
  readFileSync(file, "utf8").replace(/"title": "[^"]*"/, `"title": "${value}"`);
const titleAt = async (revision: string) =>
  (JSON.parse(Buffer.from(await store.readRevision("one", revision)).toString()) as { title: string }).title;
const titleNow = async () => (await store.read("one")).model.title;

/**
 * Opens the store on a disk on which another program acts before the first call of an operation on the spec
 * file.
 */
function openWith(operation: keyof FileSystem, act: () => void): SpecStore {
  let isDone = false;
  const original = disk[operation] as (...args: unknown[]) => Promise<unknown>;
  const watched = async (...args: unknown[]) => {
    if (!isDone && args.includes(file)) {
      isDone = true;
      act();
    }
    return original(...args);
  };
  return openFileStore({ root, fs: { ...disk, [operation]: watched } as FileSystem });
}

/** Creates a promise that other code resolves. */
function createGate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

describe("an acknowledged change that another program overwrites", () => {
  it("is named by every read and by the next change, and can be restored", async () => {
    const old = readFileSync(file, "utf8");
    const { snapshot: made } = await store.change("one", title("Better"));
    checkOut(old);
    expect((await store.read("one")).overwritten).toBe(made.revision);
    expect((await openFileStore({ root }).read("one")).overwritten).toBe(made.revision);
    await store.change("one", title("Best"), options);
    expect(overwritten).toEqual([{ specId: "one", revision: made.revision, by: "outside" }]);
    expect((await store.read("one")).overwritten).toBeUndefined();
    expect(await titleAt(made.revision)).toBe("Better");
    await store.rollBack("one", made.revision, options);
    expect(await titleNow()).toBe("Better");
    expect(overwritten).toHaveLength(1);
  });

  it("is named although a lease was granted since, and to a change that fails", async () => {
    const { snapshot: made } = await store.change("one", title("Better"));
    checkOut(textWith("Other"));
    const lease = { task_id: "task-1-1", token: "1-a", holder: "a", since: "2026", until: "2027" };
    await store.change("one", () => ({ edits: [], result: 0, leases: { "task-1-1": lease } }), options);
    expect((await store.read("one")).overwritten).toBe(made.revision);
    const conflict = store.change("one", title("Best"), { ...options, ifRevision: made.revision });
    await expect(conflict).rejects.toMatchObject({ code: "VERSION_CONFLICT" });
    expect(overwritten.map(({ revision }) => revision)).toEqual([made.revision, made.revision]);
  });

  it("is not missed where its text is back, or its file only moved", async () => {
    await store.change("one", title("Better"));
    const text = readFileSync(file, "utf8");
    checkOut(textWith("Other"));
    await store.change("one", () => ({ edits: [], result: 0, marks: { task: 3 } }));
    checkOut(text);
    expect((await store.read("one")).overwritten).toBeUndefined();
  });

  it("is never one that was not acknowledged", async () => {
    const { snapshot: made } = await store.change("one", title("Better"));
    // The checkout happens after the change was recorded and before its rename.
    const raced = openWith("link", () => checkOut(textWith("Checked out")));
    const { snapshot } = await raced.change("one", title("Best"), options);
    expect(overwritten).toEqual([{ specId: "one", revision: made.revision, by: "outside" }]);
    const entries = (await store.history("one")).map(({ revision, action }) => [
      revision.split("-")[0],
      action,
    ]);
    expect(entries).toEqual([
      ["4", "change"],
      ["3", "edited outside"],
      ["2", "change"],
      ["1", "create"],
    ]);
    expect(snapshot.revision.split("-")[0]).toBe("4");
    expect(await titleAt(made.revision)).toBe("Better");
  });
});

describe("a file that another program replaces while a change is made", () => {
  it.each(["stat", "link", "resolve"] as const)(
    "is changed as it is now, where that happens before %s",
    async (at) => {
      const raced = openWith(at, () =>
        checkOut(textWith("Checked out").replace("task-1-1", "task-1-1 edited")),
      );
      await raced.change("one", title("Best"));
      const text = readFileSync(file, "utf8");
      expect([text.includes('"title": "Best"'), text.includes("task-1-1 edited")]).toEqual([true, true]);
    },
  );

  it("does not let a key answer for a change that was never made", async () => {
    const key = { key: "k", fingerprint: "f" };
    const raced = openWith("link", () => checkOut(textWith("Checked out")));
    expect(await raced.change("one", title("Best"), { key })).toMatchObject({ isChanged: true });
    expect(await titleNow()).toBe("Best");
  });

  it("is not taken for the change when it comes right after it", async () => {
    const late = openFileStore({
      root,
      fs: {
        ...disk,
        replace: async (from, to, found) => {
          const isReplaced = await disk.replace(from, to, found);
          checkOut(textWith("Checked out"));
          return isReplaced;
        },
      },
    });
    const { snapshot } = await late.change("one", title("Best"));
    expect(await late.read("one")).toMatchObject({ overwritten: snapshot.revision });
    expect((await late.read("one")).model.title).toBe("Checked out");
  });

  it("is SPEC_NOT_FOUND where it stays away", async () => {
    const raced = openWith("link", () => rmSync(file));
    await expect(raced.change("one", title("Best"))).rejects.toMatchObject({ code: "SPEC_NOT_FOUND" });
  });
});

describe("a file that git removes and writes again", () => {
  it("is read where it goes between the search for it and its read", async () => {
    const text = readFileSync(file);
    let reads = 0;
    const readFile: FileSystem["readFile"] = async (path, max) => {
      if (path !== file || reads++ > 0) return disk.readFile(path, max);
      rmSync(file);
      return disk.readFile(path, max).finally(() => writeFileSync(file, text));
    };
    const { bytes } = await openFileStore({ root, fs: { ...disk, readFile } }).read("one");
    expect([bytes, reads]).toEqual([text.length, 2]);
  });

  it("is waited for where it is missing", async () => {
    const { snapshot } = await store.change("one", title("Best"));
    const text = readFileSync(file);
    rmSync(file);
    setTimeout(() => writeFileSync(file, text), 15);
    expect((await openFileStore({ root }).read("one")).revision.split("-")[1]).toBe(
      snapshot.revision.split("-")[1],
    );
  });
});

describe("a file that is renamed over while others look", () => {
  it("is listed, although a look at its folder misses it", async () => {
    const folder = join(root, "pending");
    // The clock of a file system has a coarse resolution. The folder gets an old time, so that the change is
    // certainly later.
    utimesSync(folder, 1, 1);
    let reads = 0;
    const readdir: FileSystem["readdir"] = async (path) => {
      if (path !== folder || reads++ > 0) return disk.readdir(path);
      const text = readFileSync(file);
      rmSync(file);
      const names = await disk.readdir(path);
      writeFileSync(file, text);
      return names;
    };
    const listed = await openFileStore({ root, fs: { ...disk, readdir } }).list();
    expect([listed.specs.map(({ id }) => id), listed.problems]).toEqual([["one"], []]);
    expect(reads).toBe(2);
  });

  it("has the leases of the text that a look at it finds", async () => {
    const lease = { task_id: "task-1-1", token: "1-a", holder: "a", since: "2026", until: "2027" };
    await store.change("one", () => ({ edits: [], result: 0, leases: { "task-1-1": lease } }));
    const [isAhead, mayCommit] = [createGate(), createGate()];
    const writer = openFileStore({
      root,
      fs: {
        ...disk,
        async replace(from, to, found) {
          if (to === file) {
            isAhead.open();
            await mayCommit.opened;
          }
          return disk.replace(from, to, found);
        },
      },
    });
    const complete: Plan<void> = () => ({
      edits: [{ op: "set", path: ["title"], value: "Completed" }],
      result: undefined,
      leases: { "task-1-1": null },
    });
    const change = writer.change("one", complete);
    await isAhead.opened;
    // The state already describes the change, but the file does not contain it yet.
    const reader = openFileStore({ root });
    const before = [...(await reader.leases("one")).keys()];
    mayCommit.open();
    await change;
    expect([before, [...(await reader.leases("one")).keys()]]).toEqual([["task-1-1"], []]);
  });
});

describe("a program that rewrites the file in place", () => {
  it("loses nothing where a change replaces the file between its open and its write", async () => {
    await store.change("one", title("Better"));
    const edited = textWith("By hand");
    let open = -1;
    const raced = openWith("replace", () => {
      open = openSync(file, "r+");
    });
    const { snapshot: first } = await raced.change("one", title("Best"), options);
    expect([overwritten, await titleNow()]).toEqual([[], "Best"]);
    ftruncateSync(open);
    writeSync(open, edited);
    const { snapshot: second } = await raced.change("one", title("Best of all"), options);
    const [late] = overwritten;
    expect(late).toMatchObject({ specId: "one", by: "change" });
    expect(await titleAt(late?.revision ?? "")).toBe("By hand");
    const listed = (await store.history("one")).map(({ revision, action }) => [revision, action]);
    expect(listed.slice(0, 3)).toEqual([
      [second.revision, "change"],
      [late?.revision, "edited outside"],
      [first.revision, "change"],
    ]);
    overwritten = [];
    await raced.change("one", title("More"), options);
    expect(overwritten).toEqual([]);
    await store.rollBack("one", late?.revision ?? "");
    expect(await titleNow()).toBe("By hand");
  });

  it("is part of what a change is made on where it wrote before the rename", async () => {
    const { snapshot: made } = await store.change("one", title("Better"));
    const edited = readFileSync(file, "utf8").replace("task-1-1", "task-1-1 by hand");
    const raced = openWith("replace", () => writeFileSync(file, edited));
    await raced.change("one", title("Best"), options);
    expect(overwritten).toEqual([{ specId: "one", revision: made.revision, by: "outside" }]);
    expect(readFileSync(file, "utf8")).toContain("task-1-1 by hand");
    expect(await titleNow()).toBe("Best");
  });

  it("is waited for while its file is half written", async () => {
    const text = textWith("By hand");
    writeFileSync(file, text.slice(0, 100));
    const reading = openFileStore({ root }).read("one");
    setImmediate(() => writeFileSync(file, text));
    expect((await reading).model.title).toBe("By hand");
  });

  it("is told to the caller, with advice to call again, where that takes long", async () => {
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.slice(0, 100));
    await expect(store.read("one")).rejects.toMatchObject({
      code: "INVALID_FORMAT",
      options: {
        data: { retry_after_seconds: 1 },
        remediation: expect.stringMatching(/^Call again in a second: .* If the error persists: Fix line/),
      },
    });
  });

  it("leaves few files behind", async () => {
    for (let count = 0; count < 12; count++) await store.change("one", title(`Title ${count}`));
    const names = await readdir(join(root, ".foundry", "history", "one"));
    expect(names.filter((name) => name.startsWith("replaced-")).length).toBeLessThanOrEqual(5);
    expect(statSync(file).nlink).toBe(1);
    linkSync(file, join(root, "second-name.json"));
    await store.change("one", title("Linked elsewhere"));
    expect(statSync(file).nlink).toBe(1);
  });
});
