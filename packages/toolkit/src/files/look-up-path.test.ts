import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findKind, resolveLinks } from "./look-up-path.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "look-up-")));
const at = (...names: string[]) => join(base, ...names);

beforeAll(() => {
  mkdirSync(at("folder"));
  writeFileSync(at("folder", "file"), "");
  symlinkSync("folder", at("link"));
  symlinkSync("nowhere", at("dangling"));
  symlinkSync("round", at("round"));
});
afterAll(() => rmSync(base, { recursive: true }));

it("The kind of what lies at a path follows links, and is undefined where nothing lies", () => {
  const paths = [["folder"], ["folder", "file"], ["link"], ["dangling"], ["round"], ["folder", "file", "x"]];
  expect(paths.map((names) => findKind(at(...names)))).toEqual([
    "folder",
    "file",
    "folder",
    undefined,
    undefined,
    undefined,
  ]);
  if (process.platform !== "win32") expect(findKind("/dev/null")).toBe("other");
});

it("Links are resolved, also above a path that is missing; one that leads nowhere is not", () => {
  expect(resolveLinks(at("link", "file"))).toBe(at("folder", "file"));
  expect(resolveLinks(at("link", "new", "deep"))).toBe(at("folder", "new", "deep"));
  expect(resolveLinks(at("dangling"))).toBeUndefined();
  expect(resolveLinks(at("dangling", "x"))).toBeUndefined();
  expect(resolveLinks(at("round", "x"))).toBeUndefined();
});
