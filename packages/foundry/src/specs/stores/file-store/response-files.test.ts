import { mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { toResponseName } from "../stored-response.ts";
import { ResponseFiles } from "./response-files.ts";
import { createSpecFiles } from "./spec-files.ts";

let root: string;
let folder: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "answers-"));
  folder = join(root, ".foundry");
});
afterEach(() => rm(root, { recursive: true, force: true }));

const answer = {
  fingerprint: "f",
  at: "2026-01-02T00:00:00.000Z",
  revision: "2-ab",
  result: { a: 1 },
  warnings: ["w"],
};

const name = toResponseName({ key: "k" });
const newer = toResponseName({ key: "newer" });

test("any key has a name of its own", () => {
  const keys = ["", "a", "A", "../x", "a\nb", "x".repeat(10_000), "\u0000"];
  expect(toResponseName({ key: "a", owner: "b" })).not.toBe(toResponseName({ key: "a" }));
  expect(new Set(keys.map((key) => toResponseName({ key }))).size).toBe(keys.length);
  expect(keys.map((key) => toResponseName({ key })).filter((name) => !/^[0-9a-f]{32}$/.test(name))).toEqual(
    [],
  );
});

test("what was kept is read, and what is damaged is not", async () => {
  const answers = new ResponseFiles(createSpecFiles(root), folder);
  await answers.write("one", new Map([[name, answer]]));
  expect(await answers.read("one", name)).toEqual(answer);
  expect(await answers.read("two", name)).toBeUndefined();
  await answers.remove("one", name);
  expect(await answers.read("one", name)).toBeUndefined();
  await answers.remove("one", name);
});

test("what nobody can ask for any more is removed", async () => {
  const answers = new ResponseFiles(createSpecFiles(root), folder);
  await answers.write("one", new Map([[name, answer]]));
  await answers.write("one", new Map([[newer, answer]]));
  const now = new Date();
  const before = new Date(now.getTime() - 25 * 60 * 60 * 1_000);
  await utimes(join(folder, "answers/one", `${name}.json`), before, before);
  await answers.removeExpired("one", now.toISOString());
  expect(await readdir(join(folder, "answers/one"))).toEqual([`${newer}.json`]);
  await answers.removeExpired("nothing", now.toISOString());
});
