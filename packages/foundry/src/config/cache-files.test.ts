import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { markUsed, removeUnused } from "./cache-files.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cache-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a file that was used some hours ago. */
function write(name: string, hours: number): string {
  const path = join(folder, name);
  writeFileSync(path, "");
  const at = Date.now() / 1_000 - hours * 3_600;
  utimesSync(path, at, at);
  return path;
}

test("the files that were used last are kept, whatever their names", () => {
  for (const [name, hours] of [
    ["z.cache", 1],
    ["a.cache", 9],
    ["m.cache", 5],
    ["own.cache", 20],
  ] as const)
    write(name, hours);
  write("a.json", 99);
  removeUnused(folder, { ending: ".cache", keep: 2, except: "own.cache" });
  expect(readdirSync(folder).toSorted()).toEqual(["a.json", "m.cache", "own.cache", "z.cache"]);
  removeUnused(folder, { beginning: "m", ending: ".cache", keep: 0, except: "own.cache" });
  expect(readdirSync(folder).toSorted()).toEqual(["a.json", "own.cache", "z.cache"]);
});

test("a file that is used counts as new, and its time is not stored at each use", () => {
  const path = write("a.cache", 3);
  const recent = write("b.cache", 0.5);
  const before = statSync(recent).mtimeMs;
  markUsed(path, statSync(path).mtimeMs);
  markUsed(recent, before);
  expect(statSync(path).mtimeMs).toBeGreaterThan(before);
  expect(statSync(recent).mtimeMs).toBe(before);
  markUsed(join(folder, "none.cache"), 0);
});
