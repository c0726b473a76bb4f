import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { acquireLock } from "./file-lock.ts";
import { toDeadLock } from "./testing/owners.ts";

vi.mock("node:fs/promises", async (original) => ({
  ...(await original<typeof import("node:fs/promises")>()),
  link: () => Promise.reject(Object.assign(new Error("no links"), { code: "ENOTSUP" })),
}));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lock-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it("locks, waits and breaks stale locks on a file system without hard links", async () => {
  const path = join(folder, "a.lock");
  await writeFile(path, (await toDeadLock()).text);
  const lock = await acquireLock(path);
  expect([await readdir(folder), await lock.isHeld()]).toEqual([["a.lock"], true]);
  await expect(acquireLock(path, { waitMs: 20 })).rejects.toMatchObject({ code: "RESOURCE_BUSY" });
  await lock.release();
  expect(await readdir(folder)).toEqual([]);
});
