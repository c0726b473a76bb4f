import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWorkspaceFiles, type FileStat, type FileSystem, syncCalls } from "@foundry-mcp/toolkit/files";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openFileStore } from "./file-store.ts";
import { createSpecFiles } from "./spec-files.ts";

let folder: string;
let read: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "summaries-"));
  mkdirSync(join(folder, "specs/active"), { recursive: true });
  read = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const summariesFile = () => join(folder, "cache", "summaries.json");

/** The time of files that were not changed recently. */
const longAgo = new Date("2026-01-01T00:00:00Z");

function writeSpec(id: string, title: string, when = longAgo): void {
  const path = join(folder, "specs/active", `${id}.json`);
  const root = { type: "spec", title, status: "pending", parent: null, children: [] };
  writeFileSync(path, JSON.stringify({ spec_id: id, title, hierarchy: { "spec-root": root } }));
  utimesSync(path, when, when);
}

/** Lists the specs with a new store, like a new process without any data in memory. */
async function list(): Promise<readonly string[]> {
  read = [];
  const root = join(folder, "specs");
  const specFiles = createSpecFiles(root, { calls: syncCalls });
  // A test cannot set the change time of a file. Therefore, the change time is replaced with the modification
  // time.
  const settled = (stat: FileStat) => Object.assign(stat, { ctimeMs: stat.mtimeMs });
  const fs: FileSystem = {
    ...specFiles,
    async readFile(path, maxBytes) {
      if (path.includes("active")) read.push(path.slice(-6, -5));
      const file = await specFiles.readFile(path, maxBytes);
      return { ...file, stat: settled(file.stat) };
    },
    stat: async (path) => settled(await specFiles.stat(path)),
  };
  const cache = join(folder, "cache");
  const files = createWorkspaceFiles({ root: cache, privateFolder: ".", calls: syncCalls });
  const store = openFileStore({ root, fs, learnt: { summaries: { path: summariesFile(), files } } });
  const { specs } = await store.list();
  await store.close();
  return specs.map(({ title }) => title);
}

describe("a list in a process after another", () => {
  test("reads nothing that it has read before", async () => {
    writeSpec("a", "One");
    writeSpec("b", "Two");
    expect(await list()).toEqual(["One", "Two"]);
    expect(read).toEqual(["a", "b"]);
    expect(await list()).toEqual(["One", "Two"]);
    expect(read).toEqual([]);
  });

  test("reads what has changed, and that alone", async () => {
    writeSpec("a", "One");
    writeSpec("b", "Two");
    await list();
    writeSpec("b", "Six", new Date("2026-01-02T00:00:00Z"));
    expect(await list()).toEqual(["One", "Six"]);
    expect(read).toEqual(["b"]);
  });

  test("does not trust what was changed a moment before it was read", async () => {
    writeSpec("a", "One", new Date());
    await list();
    writeSpec("a", "Two", new Date());
    expect(await list()).toEqual(["Two"]);
    expect(read).toEqual(["a"]);
  });

  test.each([
    ["nothing", ""],
    ["garbage", "\u0000\u0001"],
    ["another format", '{"format":99,"known":[]}'],
    ["entries of another form", '{"format":1,"known":[null,5,{"summary":{}},{"identity":{"mtimeMs":1}}]}'],
    ["no list", '{"format":1,"known":5}'],
  ])("reads the specs where the file has %s", async (_, text) => {
    writeSpec("a", "One");
    mkdirSync(join(folder, "cache"));
    writeFileSync(summariesFile(), text);
    expect(await list()).toEqual(["One"]);
    expect(read).toEqual(["a"]);
    expect(await list()).toEqual(["One"]);
    expect(read).toEqual([]);
  });

  test("is no worse where nothing can be kept", async () => {
    writeSpec("a", "One");
    writeFileSync(join(folder, "cache"), "a file where the folder should be");
    expect(await list()).toEqual(["One"]);
    expect(await list()).toEqual(["One"]);
    expect(read).toEqual(["a"]);
  });

  test("keeps it from other users", async () => {
    writeSpec("a", "One");
    await list();
    const { mode } = statSync(summariesFile());
    expect(mode & 0o777).toBe(0o600);
  });
});
