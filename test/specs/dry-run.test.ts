import { lstat, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, vi } from "vitest";
import { openFileStore } from "#built/foundry/specs/stores/file-store/file-store.js";
import { describeDryRuns } from "./dry-run.suite.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-02-03T04:05:06Z") }));
afterEach(() => void vi.useRealTimers());

/** The identity of every file below a folder: a file that is written again is another one. */
async function identityOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(folder, { recursive: true })).toSorted();
  const entries = names.map(async (name) => {
    const { ino, mtimeNs, size, mode } = await lstat(join(folder, name), { bigint: true });
    // Locks come and go in folders, whose times tell that.
    const isFolder = (mode & 0o170000n) === 0o040000n;
    return [name, isFolder ? `${ino}` : `${ino} ${mtimeNs} ${size}`] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

describe("a dry run on files", () => {
  describeDryRuns(async () => {
    const root = await mkdtemp(join(tmpdir(), "dry-run-"));
    for (const status of ["pending", "active", "completed", "archived"]) await mkdir(join(root, status));
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
