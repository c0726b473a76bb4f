import { cp, lstat, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, vi } from "vitest";
import { openFileStore } from "#built/foundry/specs/stores/file-store/file-store.js";
import { describeDryRuns } from "./dry-run.suite.ts";
import { seedStore } from "./fresh-tools.ts";

/**
 * A folder with the seeded specs. Copying this folder for each call takes a fraction of the time of seeding a
 * new folder.
 */
let seeded: string;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-02-03T04:05:06Z") });
  seeded = await mkdtemp(join(tmpdir(), "dry-run-"));
  for (const status of ["pending", "active", "completed", "archived"]) await mkdir(join(seeded, status));
  const store = openFileStore({ root: seeded });
  await seedStore(store as never);
  await store.close();
});
afterAll(() => rm(seeded, { recursive: true, force: true }));
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-02-03T04:05:06Z") }));
afterEach(() => void vi.useRealTimers());

/** Returns the identity of every file below a folder. Rewriting a file changes its identity. */
async function identityOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(folder, { recursive: true })).toSorted();
  const entries = names.map(async (name) => {
    const { ino, mtimeNs, size, mode } = await lstat(join(folder, name), { bigint: true });
    // Creating and removing locks changes the times of folders, so these times are not compared.
    const isFolder = (mode & 0o170000n) === 0o040000n;
    return [name, isFolder ? `${ino}` : `${ino} ${mtimeNs} ${size}`] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

describe("a dry run on files", () => {
  describeDryRuns(async () => {
    const root = await mkdtemp(join(tmpdir(), "dry-run-"));
    await cp(seeded, root, { recursive: true, preserveTimestamps: true });
    const store = openFileStore({ root });
    return {
      store: store as never,
      identity: () => identityOf(root),
      async close() {
        await store.close();
        await rm(root, { recursive: true, force: true });
      },
    };
  });
});
