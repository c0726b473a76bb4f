import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SpecStore } from "../spec-store.ts";
import { sampleDocument } from "../testing/sample-document.ts";
import { fileFormat } from "./file-format.ts";
import { openFileStore } from "./file-store.ts";
import { createSpecFiles } from "./spec-files.ts";

let root: string;
let store: SpecStore;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "foundry-format-"));
  store = openFileStore({ root, fs: createSpecFiles(root) });
  await store.create("one", sampleDocument("one"), "pending");
});
afterEach(async () => {
  await store.close();
  rmSync(root, { recursive: true, force: true });
});

const writeFormat = (text: string) => writeFileSync(join(root, ".foundry/format.json"), text);
const change = () =>
  store.change("one", () => ({ edits: [{ op: "set", path: ["title"], value: "new" }], result: 1 }), {});

/** Returns all files of the folder with their contents. */
const snapshot = () =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), "utf8")]),
  );

describe("files of a newer version", () => {
  it.each([
    ['{"format":2,"version":"0.9.0"}', "foundry-mcp 0.9.0 wrote them in format 2", 2],
    ['{"format":7,"version":"<b>0.9.0"}', "a newer version wrote them in format 7", 7],
    ["{}", "a newer version wrote them in an unknown format", undefined],
    ["not JSON", "a newer version wrote them in an unknown format", undefined],
  ])("are not changed, but specs can be read: %s", async (text, message, format) => {
    writeFormat(text);
    const before = snapshot();
    const failure = await Promise.resolve(change()).catch((err: unknown) => err);
    expect(failure).toMatchObject({
      message: `Cannot change files in .foundry: ${message}, and this version knows ${fileFormat}`,
      code: "INVALID_STATE",
    });
    expect((failure as { options: { details: unknown } }).options.details).toEqual({
      known_format: fileFormat,
      ...(format === undefined ? {} : { format }),
    });
    await expect(store.create("two", sampleDocument("two"), "pending")).rejects.toMatchObject({
      code: "INVALID_STATE",
    });
    expect((await store.read("one")).model.title).toBe(sampleDocument("one")["title"]);
    expect(snapshot()).toEqual(before);
  });

  it("are changed if this version knows their format", async () => {
    writeFormat(`{"format":${fileFormat},"version":"0.9.0"}`);
    await change();
    expect((await store.read("one")).model.title).toBe("new");
  });
});
