import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { acquireLock } from "./file-lock.ts";
import { createLockFiles } from "./testing/lock-files.ts";
import { toDeadLock } from "./testing/owners.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lock-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it("locks, waits and breaks stale locks on a file system without hard links", async () => {
  const path = join(folder, "a.lock");
  await writeFile(path, (await toDeadLock()).text);
  const link = () => Promise.reject(Object.assign(new Error("no links"), { code: "ENOTSUP" }));
  const fs = { ...createLockFiles(folder), link };
  const lock = await acquireLock(fs, path);
  expect([await readdir(folder), await lock.isHeld()]).toEqual([["a.lock"], true]);
  await expect(acquireLock(fs, path, { waitMs: 20 })).rejects.toMatchObject({ code: "RESOURCE_BUSY" });
  await lock.release();
  expect(await readdir(folder)).toEqual([]);
});
