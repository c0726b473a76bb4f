import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { silentLogger } from "../context/logger.ts";
import { ArchiveFolder, ownerOf } from "./archive-folder.ts";
import { contentOf } from "./content-archive.suite.ts";
import { type ContentArchive, type ContentEntry, digestOf } from "./content-archive.ts";
import { createFileArchive } from "./file-archive.ts";
import { Sweeper } from "./sweeper.ts";

type Moment = "before aside" | "after aside" | "before write";

/**
 * Simulated actions of another process; the key is the step of this process's put or sweep at which the action
 * runs.
 */
const meanwhile = vi.hoisted(() => new Map<string, () => Promise<unknown>>());
const reach = vi.hoisted(() => async (moment: Moment, what: string) => {
  const key = `${moment} ${what}`;
  const act = meanwhile.get(key);
  meanwhile.delete(key);
  await act?.();
});

vi.mock("./set-aside.ts", async (original) => {
  const real = await original<typeof import("./set-aside.ts")>();
  const setAside: typeof real.setAside = async (folder, name) => {
    const [kind = ""] = name.split(".");
    await reach("before aside", kind);
    const aside = await real.setAside(folder, name);
    await reach("after aside", kind);
    return aside;
  };
  return { ...real, setAside };
});

vi.mock("./durable-file.ts", async (original) => {
  const real = await original<typeof import("./durable-file.ts")>();
  const writeDurably: typeof real.writeDurably = async (to, path, bytes) => {
    await reach("before write", path.endsWith(".json") ? "entry" : "object");
    await real.writeDurably(to, path, bytes);
  };
  return { ...real, writeDurably };
});

let folder: string;
let sweeping: ContentArchive;
let other: ContentArchive;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  folder = await mkdtemp(join(tmpdir(), "archive-"));
  sweeping = createFileArchive({ folder, maxAgeMs: 100_000 });
  // The sweep of this archive finds nothing to remove.
  other = createFileArchive({ folder, maxAgeMs: 1e12 });
});
afterEach(async () => {
  vi.useRealTimers();
  meanwhile.clear();
  await Promise.all([sweeping.close(), other.close()]);
  await rm(folder, { recursive: true, force: true });
});
const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
const old = contentOf("old");

/** Stores content that has expired by the next put of `sweeping`, which then sweeps it. */
async function makeOld(): Promise<void> {
  await sweeping.put(old);
  await sweeping.close();
  pass(100_001);
  await other.put(contentOf("other"));
  await other.close();
}

async function sweep(): Promise<void> {
  await sweeping.put(contentOf("new"));
  await sweeping.close();
}

async function expectReadable(entry: ContentEntry, principal: string): Promise<void> {
  for (const archive of [sweeping, other]) {
    const { archiveId, createdAt } = entry;
    expect(await archive.find(principal, { hash: entry.hash })).toMatchObject({ archiveId, createdAt });
    expect(Buffer.from(await archive.read(entry)).toString()).toBe("old");
  }
  expect(existsSync(new ArchiveFolder(folder).objectPath(String(digestOf(entry.hash))))).toBe(true);
  expect((await readdir(folder)).includes("aside") ? await readdir(join(folder, "aside")) : []).toEqual([]);
}

describe.each(["ada", "bob"])("a sweep of ada's content during a put for %s", (principal) => {
  it.each(["before aside entry", "after aside entry", "before aside object", "after aside object"])(
    "keeps content that is put %s",
    async (moment) => {
      await makeOld();
      let entry: ContentEntry | undefined;
      meanwhile.set(moment, async () => {
        entry = await other.put({ ...old, principal });
      });
      await sweep();
      await expectReadable(entry!, principal);
    },
  );
});

describe("a put during a sweep", () => {
  it("notices that the bytes it relied on are gone, and writes them again", async () => {
    await makeOld();
    const greedy = createFileArchive({ folder, maxAgeMs: 1 });
    meanwhile.set("before write entry", async () => {
      pass(120_000);
      await greedy.put(contentOf("greedy", { principal: "greedy" }));
      await greedy.close();
      expect(existsSync(new ArchiveFolder(folder).objectPath(String(digestOf(old.hash))))).toBe(false);
    });
    const entry = await other.put({ ...old, principal: "bob" });
    expect(Buffer.from(await other.read(entry)).toString()).toBe("old");
  });
});

/** The names of all files below a folder. */
async function filesOf(path: string): Promise<readonly string[]> {
  const found = await readdir(path, { recursive: true, withFileTypes: true });
  return found
    .filter((file) => file.isFile())
    .map((file) => relative(path, join(file.parentPath, file.name)))
    .toSorted();
}

describe.runIf(process.platform !== "win32")("a sweep after a checkout", () => {
  const digest = "d".repeat(64);
  let archive: string;
  let outside: string;
  let entry: ContentEntry;
  /** Puts content that expires, a draft that nobody writes any more, and a file that a dead process left aside. */
  beforeEach(async () => {
    archive = join(folder, "specs", ".foundry", "archive");
    outside = join(folder, "outside");
    const storage = createFileArchive({ folder: archive, within: join(folder, "specs"), maxAgeMs: 100_000 });
    entry = await storage.put(old);
    await storage.close();
    const draft = join(archive, "tmp", "0".repeat(24));
    await writeFile(draft, "draft");
    await utimes(draft, new Date(0), new Date(0));
    // A file that is aside can only be put back into a folder that exists.
    for (const name of ["aside", "objects/dd"]) await mkdir(join(archive, name), { recursive: true });
    await writeFile(join(archive, "aside", `object.${digest}.0123456789ab`), "aside");
    pass(7_200_000);
  });
  const sweepNow = async () => {
    const paths = new ArchiveFolder(archive, { within: join(folder, "specs") });
    const sweeper = new Sweeper(paths, { maxAgeMs: 100_000, maxBytes: 1_000_000 }, silentLogger);
    await sweeper.added(ownerOf("ada"), entry, 0);
    await sweeper.idle();
  };

  it("removes all of it where no folder has become a link", async () => {
    await sweepNow();
    expect(await filesOf(archive)).toEqual([]);
  });

  it.each(["", "tmp", "aside", "entries", "entries/OWNER", "objects", "objects/XX"])(
    "removes and moves nothing where %j has become a link",
    async (name) => {
      const hash = String(digestOf(entry.hash));
      const path = join(archive, name.replace("OWNER", ownerOf("ada")).replace("XX", hash.slice(0, 2)));
      await rename(path, outside);
      await symlink(outside, path);
      const before = await filesOf(outside);
      expect(before).not.toEqual([]);
      await sweepNow();
      expect(await filesOf(outside)).toEqual(before);
    },
  );
});
