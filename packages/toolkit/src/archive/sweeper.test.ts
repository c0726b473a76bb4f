import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ArchiveFolder } from "./archive-folder.ts";
import { contentOf } from "./content-archive.suite.ts";
import { type ContentArchive, type ContentEntry, digestOf } from "./content-archive.ts";
import { createFileArchive } from "./file-archive.ts";

type Moment = "before aside" | "after aside" | "before write";

/** Actions of another process, by the moment in a put or sweep of this one at which they run. */
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
  // It finds nothing to sweep.
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
