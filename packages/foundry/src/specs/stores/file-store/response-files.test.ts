import { mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { nodeFileSystem } from "../../../files/durable/node-file-system.ts";
import { toResponseName } from "../stored-response.ts";
import { ResponseFiles } from "./response-files.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "answers-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const answer = {
  fingerprint: "f",
  at: "2026-01-02T00:00:00.000Z",
  revision: "2-ab",
  result: { a: 1 },
  warnings: ["w"],
};

test("any key has a name of its own", () => {
  const keys = ["", "a", "A", "../x", "a\nb", "x".repeat(10_000), "\u0000"];
  expect(toResponseName({ key: "a", owner: "b" })).not.toBe(toResponseName({ key: "a" }));
  expect(new Set(keys.map((key) => toResponseName({ key }))).size).toBe(keys.length);
  expect(keys.map((key) => toResponseName({ key })).filter((name) => !/^[0-9a-f]{32}$/.test(name))).toEqual(
    [],
  );
});

test("what was kept is read, and what is damaged is not", async () => {
  const answers = new ResponseFiles(nodeFileSystem, folder);
  await answers.write("one", "k", answer);
  expect(await answers.read("one", "k")).toEqual(answer);
  expect(await answers.read("two", "k")).toBeUndefined();
  await answers.remove("one", "k");
  expect(await answers.read("one", "k")).toBeUndefined();
  await answers.remove("one", "k");
});

test("what nobody can ask for any more is removed", async () => {
  const answers = new ResponseFiles(nodeFileSystem, folder);
  await answers.write("one", "old", answer);
  await answers.write("one", "new", answer);
  const now = new Date();
  const before = new Date(now.getTime() - 25 * 60 * 60 * 1_000);
  await utimes(join(folder, "answers/one/old.json"), before, before);
  await answers.removeExpired("one", now.toISOString());
  expect(await readdir(join(folder, "answers/one"))).toEqual(["new.json"]);
  await answers.removeExpired("nothing", now.toISOString());
});
