import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createWorkspaceFiles } from "@foundry-mcp/toolkit/files";
import { afterEach, beforeEach, expect, it } from "vitest";
import { nonceOfTemporary, removeStaleTemporaries, temporaryPath } from "./temporary-files.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tidy-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The pid of a process that has just ended. */
const { pid: gonePid } = spawnSync(process.execPath, ["--version"]);

async function put(name: string, ageMs = 0): Promise<string> {
  await writeFile(join(folder, name), "x");
  const then = (Date.now() - ageMs) / 1_000;
  await utimes(join(folder, name), then, then);
  return name;
}

it("removes the temporary files of dead processes and those older than an hour, and nothing else", async () => {
  const mine = basename(await temporaryPath(join(folder, "a.json")));
  const ofTheDead = mine.replace(`-${process.pid}-`, `-${gonePid}-`);
  const far = mine.replace(/\.[0-9a-f]{8}-/, ".00000000-");
  const anotherOf = (name: string) => name.replace(/[0-9a-f]{16}\.tmp$/, "0123456789abcdef.tmp");
  const hour = 3_600_000;
  const kept = [
    await put(mine),
    await put(far, hour - 60_000),
    await put("a.json", 2 * hour),
    await put(".a.json.tmp", 2 * hour),
    await put(".hidden", 2 * hour),
  ];
  const leftovers = [
    await put(ofTheDead),
    await put(anotherOf(mine), hour + 1_000),
    await put(anotherOf(far), hour + 1_000),
  ];
  const fs = createWorkspaceFiles({ root: folder });
  expect((await removeStaleTemporaries(fs, folder)).toSorted()).toEqual(leftovers.toSorted());
  expect((await readdir(folder)).sort()).toEqual(kept.toSorted());
  expect(await removeStaleTemporaries(fs, join(folder, "none"))).toEqual([]);
});

it("recognizes the temporary names of a file", async () => {
  const nonce = "0123456789abcdef";
  const name = basename(await temporaryPath(join(folder, "a.json"), nonce));
  expect(name).toMatch(/^\.a\.json\.[0-9a-f]{8}-\d+-[0-9a-f]{16}\.tmp$/);
  expect(["a.json", "b.json", "a"].map((file) => nonceOfTemporary(file, name))).toEqual([
    nonce,
    undefined,
    nonce,
  ]);
});
