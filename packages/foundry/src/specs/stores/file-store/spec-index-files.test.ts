import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWorkspaceFiles, syncCalls } from "@foundry-mcp/toolkit/files";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sampleDocument } from "../testing/sample-document.ts";
import { openFileStore } from "./file-store.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "indexes-"));
  mkdirSync(join(folder, "specs/active"), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const cache = () => join(folder, "cache");
const specFile = () => join(folder, "specs/active/a.json");
const indexes = () => readdirSync(cache()).filter((name) => name.endsWith(".index"));
const indexFile = () => join(cache(), indexes()[0] ?? "none");

/**
 * Writes a spec that is large enough for an index. Its first task is completed if the title is "Two", and its nodes
 * are at the same offsets with any title of three letters.
 */
function writeSpec(title: string, size = 300 * 1_024): void {
  const document = { ...sampleDocument("a"), title, metadata: { mission: "x".repeat(size) } };
  const text = JSON.stringify(document);
  const done = text.replace(/"status":"pending","parent":"phase-1"/, (found) =>
    found.replace('"pending"', '"completed"'),
  );
  expect(done).not.toBe(text);
  writeFileSync(specFile(), title === "Two" ? done.replace('"mission":"xx', '"mission":"') : text);
}

/** Opens the store like a new process. */
function open() {
  const files = createWorkspaceFiles({ root: cache(), privateFolder: ".", calls: syncCalls });
  return openFileStore({ root: join(folder, "specs"), learnt: { indexes: { path: cache(), files } } });
}

async function readTitle(): Promise<string> {
  const store = open();
  const { model } = await store.read("a");
  await store.close();
  expect(model.tally("phase-1").completed).toBe(model.node("task-1-1")?.status === "completed" ? 1 : 0);
  return model.title;
}

describe("the index of a large spec", () => {
  test("is kept for its owner alone, and written anew for another text", async () => {
    writeSpec("One");
    expect(await readTitle()).toBe("One");
    const first = readFileSync(indexFile());
    expect(statSync(indexFile()).mode & 0o777).toBe(0o600);
    expect(await readTitle()).toBe("One");
    expect(readFileSync(indexFile()).equals(first)).toBe(true);
    writeSpec("Two");
    expect(await readTitle()).toBe("Two");
    expect(readFileSync(indexFile()).equals(first)).toBe(false);
    expect(indexes()).toHaveLength(1);
  });

  test("is not made for a small spec", async () => {
    writeSpec("One", 10);
    await readTitle();
    expect(readdirSync(folder)).toEqual(["specs"]);
  });

  test("is written with a change, so that the next process need not parse the spec", async () => {
    writeSpec("One");
    const store = open();
    await store.change("a", () => ({ edits: [{ op: "set", path: ["title"], value: "Two" }], result: null }));
    await store.close();
    const written = readFileSync(indexFile());
    expect(await readTitle()).toBe("Two");
    expect(readFileSync(indexFile()).equals(written)).toBe(true);
  });

  test("does not hide a change that left size and time as they were", async () => {
    writeSpec("One");
    const { atime, mtime } = statSync(specFile());
    expect(await readTitle()).toBe("One");
    writeSpec("Two");
    utimesSync(specFile(), atime, mtime);
    expect(await readTitle()).toBe("Two");
  });

  test("is not used where it belongs to another spec, or is damaged", async () => {
    writeSpec("One");
    await readTitle();
    const name = indexFile();
    const bytes = readFileSync(name);
    for (const spoilt of [
      Buffer.alloc(0),
      bytes.subarray(0, bytes.length - 8),
      Buffer.from(bytes.toString("latin1").replace("active/a.json", "active/b.json"), "latin1"),
    ]) {
      writeFileSync(name, spoilt);
      expect(await readTitle()).toBe("One");
      expect(readFileSync(name).equals(spoilt)).toBe(false);
    }
  });

  test("is done without where nothing can be kept", async () => {
    writeSpec("One");
    writeFileSync(cache(), "a file where the folder should be");
    expect(await readTitle()).toBe("One");
    expect(await readTitle()).toBe("One");
  });
});
