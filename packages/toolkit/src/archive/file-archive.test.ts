import { existsSync } from "node:fs";
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Logger } from "../context/logger.ts";
import { silentLogger } from "../context/logger.ts";
import { ArchiveFolder, ownerOf } from "./archive-folder.ts";
import { contentOf, describeArchive } from "./content-archive.suite.ts";
import { digestOf } from "./content-archive.ts";
import { createFileArchive } from "./file-archive.ts";
import { entryName, objectName, setAside } from "./set-aside.ts";

const made: string[] = [];
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "archive-"));
  made.push(folder);
  return join(folder, "deep", "content");
}
afterAll(() => Promise.all(made.map((folder) => rm(folder, { recursive: true, force: true }))));

describeArchive("an archive of files", async (limits) =>
  createFileArchive({ folder: await newFolder(), ...limits }),
);
describeArchive("an archive of files that several processes use", async (limits) => {
  const folder = await newFolder();
  const archives = [0, 1, 2].map(() => createFileArchive({ folder, ...limits }));
  let turn = 0;
  const next = () => archives[turn++ % archives.length]!;
  // Only one archive stores content, because content ids of concurrent puts are merged only within one process.
  return {
    put: (content) => archives[0]!.put(content),
    find: (principal, key) => next().find(principal, key),
    read: (entry) => next().read(entry),
    list: (principal) => next().list(principal),
    close: async () => {},
  };
});

/** Lists all files below a folder, by their relative paths. */
async function filesOf(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name).slice(folder.length + 1))
    .sort();
}

it.each([
  ["", '""'],
  [" \t", '" \\t"'],
  [undefined, "undefined"],
  [null, "null"],
  [7, "7"],
])("A file archive is not created in the folder %j", (folder, given) => {
  expect(() => createFileArchive({ folder: folder as string })).toThrowError(
    expect.objectContaining({
      name: "ContractError",
      code: "INTERNAL_ERROR",
      message: `Cannot create an archive: folder is ${given}, not the path of a folder`,
    }),
  );
});

describe("the folder of an archive", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());
  const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

  it("holds bytes by their hash and entries by their owner, for the owner of the process alone", async () => {
    const folder = await newFolder();
    const archive = createFileArchive({ folder });
    const content = contentOf('{"a":1}');
    const { archiveId } = await archive.put(content);
    await archive.put({ ...content, principal: "bob" });
    const digest = content.hash.slice(7);
    const files = await filesOf(folder);
    expect(files).toHaveLength(3);
    expect(files).toContain(`objects/${digest.slice(0, 2)}/${digest}`);
    expect(files).toContain(`entries/${ownerOf("ada")}/${archiveId}.json`);
    expect(
      JSON.parse(await readFile(join(folder, `entries/${ownerOf("ada")}/${archiveId}.json`), "utf8")),
    ).toEqual({
      version: 1,
      archiveId,
      hash: content.hash,
      size: 7,
      tool: "notes",
      action: "list",
      requestId: "req_1",
      contentIds: [],
      createdAt: new Date().toISOString(),
    });
    for (const file of files) expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
    for (const inner of ["", "objects", "entries", "tmp"]) {
      expect((await stat(join(folder, inner))).mode & 0o777).toBe(0o700);
    }
  });

  it("is created anew after it was deleted", async () => {
    const folder = await newFolder();
    const archive = createFileArchive({ folder });
    const entry = await archive.put(contentOf("{}"));
    await archive.close();
    await rm(folder, { recursive: true });
    expect(await archive.find("ada", { hash: entry.hash })).toBeUndefined();
    expect(await archive.list("ada")).toEqual([]);
    await expect(archive.read(entry)).rejects.toMatchObject({ code: "CONTENT_NOT_FOUND" });
    await archive.put(contentOf("{}"));
    expect(Buffer.from(await archive.read(entry)).toString()).toBe("{}");
  });

  it("restores a lost or damaged object when its content is put again, and logs the damage", async () => {
    const folder = await newFolder();
    const errors: object[] = [];
    const logger: Logger = { ...silentLogger, error: (facts) => void errors.push(facts) };
    const archive = createFileArchive({ folder, logger });
    const content = contentOf('{"a":1}');
    const { archiveId, hash } = await archive.put(content);
    const object = new ArchiveFolder(folder).objectPath(String(digestOf(hash)));
    for (const harm of [
      () => writeFile(object, '{"a":2}'),
      () => writeFile(object, '{"a":'),
      () => writeFile(object, ""),
    ]) {
      await harm();
      const found = await archive.find("ada", { archiveId });
      const failure = await archive.read(found!).catch((thrown: Error) => thrown);
      expect(failure).toMatchObject({ code: "CONTENT_NOT_FOUND" });
      expect(JSON.stringify([failure, (failure as Error).message])).not.toContain(folder);
      expect(errors.at(-1)).toMatchObject({ archive_id: archiveId, hash });
      await archive.put(content);
      expect(Buffer.from(await archive.read(found!)).toString()).toBe('{"a":1}');
    }
    await rm(object);
    await archive.put(content);
    expect(existsSync(object)).toBe(true);
    expect(errors).toHaveLength(3);
  });

  it.each(["", "{", "null", "[]", '{"version":2}', '{"version":1,"hash":"../../x"}'])(
    "does not accept %j as an entry, and removes it when it expires",
    async (text) => {
      const folder = await newFolder();
      const archive = createFileArchive({ folder, maxAgeMs: 10_000 });
      const { archiveId } = await archive.put(contentOf("{}"));
      await archive.close();
      const path = new ArchiveFolder(folder).entryPath(ownerOf("ada"), archiveId);
      await writeFile(path, text);
      expect(await archive.find("ada", { archiveId })).toBeUndefined();
      expect(await archive.list("ada")).toEqual([]);
      pass(200_000);
      const other = createFileArchive({ folder, maxAgeMs: 10_000 });
      await other.put(contentOf("other", { principal: "bob" }));
      await other.close();
      expect((await filesOf(folder)).map((file) => file.split("/")[0])).toEqual(["entries", "objects"]);
    },
  );

  it("does not accept an entry of another principal", async () => {
    const folder = await newFolder();
    const archive = createFileArchive({ folder });
    const paths = new ArchiveFolder(folder);
    const { archiveId } = await archive.put(contentOf("secret"));
    // The first put starts a sweep, which removes the folders of owners without entries.
    await archive.close();
    const planted = paths.entryPath(ownerOf("bob"), archiveId);
    await mkdir(join(folder, "entries", ownerOf("bob")));
    await writeFile(planted, await readFile(paths.entryPath(ownerOf("ada"), archiveId)));
    expect(await archive.find("bob", { archiveId })).toBeUndefined();
    expect(await archive.list("bob")).toEqual([]);
  });

  it("loses expired content, orphaned bytes and old drafts in a sweep, and nothing else", async () => {
    const folder = await newFolder();
    const paths = new ArchiveFolder(folder);
    const first = createFileArchive({ folder, maxAgeMs: 3_600_000 });
    await first.put(contentOf("old"));
    await first.put(contentOf("shared"));
    await first.close();
    pass(3_000_000);
    const now = new Date();
    const old = new Date(Date.now() - 3_600_001);
    await mkdir(join(folder, "objects", "ab"), { recursive: true });
    const [orphan, young] = ["ab".padEnd(64, "0"), "ab".padEnd(64, "1")].map((digest) =>
      paths.objectPath(digest),
    ) as [string, string];
    await writeFile(orphan, "nobody's");
    await utimes(orphan, old, old);
    await writeFile(young, "somebody's soon");
    const [dead, alive, foreign] = ["0".repeat(24), "1".repeat(24), "thesis.tex"].map((name) =>
      join(folder, "tmp", name),
    ) as [string, string, string];
    for (const path of [dead, alive, foreign]) await writeFile(path, "half");
    for (const path of [dead, foreign]) await utimes(path, old, old);
    pass(600_000);
    await utimes(young, new Date(), new Date());
    await utimes(alive, now, now);
    const second = createFileArchive({ folder, maxAgeMs: 3_600_000 });
    const kept = await second.put(contentOf("shared", { principal: "bob" }));
    await second.close();
    expect(await filesOf(folder)).toEqual(
      [
        `entries/${ownerOf("bob")}/${kept.archiveId}.json`,
        `objects/${kept.hash.slice(7, 9)}/${kept.hash.slice(7)}`,
        young.slice(folder.length + 1),
        alive.slice(folder.length + 1),
        foreign.slice(folder.length + 1),
      ].sort(),
    );
    expect(await readdir(join(folder, "entries"))).toEqual([ownerOf("bob")]);
  });

  it("is swept at most once a minute", async () => {
    const folder = await newFolder();
    const archive = createFileArchive({ folder, maxAgeMs: 1_000 });
    const old = await archive.put(contentOf("old"));
    await archive.close();
    const object = new ArchiveFolder(folder).objectPath(String(digestOf(old.hash)));
    pass(59_999);
    await archive.put(contentOf("new"));
    await archive.close();
    expect(existsSync(object)).toBe(true);
    pass(1);
    await archive.put(contentOf("new"));
    await archive.close();
    expect(existsSync(object)).toBe(false);
  });

  it("serves files that are aside, and puts them back after a sweeper that died", async () => {
    const folder = await newFolder();
    const paths = new ArchiveFolder(folder);
    const archive = createFileArchive({ folder });
    const entry = await archive.put(contentOf("{}"));
    await archive.close();
    const digest = String(digestOf(entry.hash));
    await setAside(paths, objectName(digest));
    await setAside(paths, entryName(ownerOf("ada"), entry.archiveId));
    expect(existsSync(paths.objectPath(digest))).toBe(false);
    expect(await archive.find("ada", { hash: entry.hash })).toEqual(entry);
    expect(Buffer.from(await archive.read(entry)).toString()).toBe("{}");
    pass(120_000);
    await archive.put(contentOf("other"));
    await archive.close();
    expect(await readdir(paths.aside)).toEqual([]);
    expect(existsSync(paths.objectPath(digest))).toBe(true);
    expect(await archive.find("ada", { hash: entry.hash })).toEqual(entry);
  });

  it("keeps content that another process has put again since the last sweep", async () => {
    const folder = await newFolder();
    const limits = { folder, maxAgeMs: 100_000 };
    const [one, other] = [createFileArchive(limits), createFileArchive(limits)];
    const { hash } = await one.put(contentOf("again"));
    await one.close();
    pass(90_000);
    const refreshed = await other.put(contentOf("again"));
    await other.close();
    pass(20_000);
    // The entry has expired in the cache of this archive.
    await one.put(contentOf("new"));
    await one.close();
    expect(await one.find("ada", { hash })).toEqual(refreshed);
    expect(Buffer.from(await one.read(refreshed)).toString()).toBe("again");
  });

  it("reports why content cannot be put, and leaves no partial files", async () => {
    const folder = await newFolder();
    await mkdir(join(folder, ".."), { recursive: true });
    await writeFile(folder, "a file, no folder");
    const archive = createFileArchive({ folder });
    await expect(archive.put(contentOf("{}"))).rejects.toMatchObject({ code: "ENOTDIR" });
    await rm(folder);
    await archive.put(contentOf("{}"));
    await archive.close();
    // The folder takes the path of the file, because even root cannot write over a folder.
    const blocked = contentOf("blocked");
    await mkdir(new ArchiveFolder(folder).objectPath(String(digestOf(blocked.hash))), { recursive: true });
    await expect(archive.put(blocked)).rejects.toMatchObject({
      code: "INVALID_PATH",
      message: expect.stringMatching(/^Cannot write "objects\/[^"]+": it is a folder$/),
    });
    expect(await readdir(join(folder, "tmp"))).toEqual([]);
    await chmod(folder, 0o700);
  });

  it("continues when a sweep fails", async () => {
    const folder = await newFolder();
    const warnings: string[] = [];
    const logger: Logger = { ...silentLogger, warn: (_facts, message) => void warnings.push(message) };
    const archive = createFileArchive({ folder, logger, maxAgeMs: 1_000 });
    await archive.put(contentOf("old"));
    await archive.close();
    await rm(join(folder, "aside"), { recursive: true, force: true });
    await writeFile(join(folder, "aside"), "no folder");
    pass(7_200_000);
    const entry = await archive.put(contentOf("{}"));
    await archive.close();
    expect(warnings).toEqual(["archive: sweep"]);
    expect(await archive.find("ada", { hash: entry.hash })).toEqual(entry);
  });

  it.each(["", "entries", "objects", "tmp", "aside"])(
    "follows no link in the place of %j, where the folder above is not trusted",
    async (name) => {
      const within = join(await newFolder(), "repository");
      const outside = join(await newFolder(), "outside");
      const folder = join(within, ".foundry", "archive");
      const archive = createFileArchive({ folder, within, maxAgeMs: 1_000 });
      const old = await archive.put(contentOf("old"));
      await archive.close();
      const draft = join(folder, "tmp", "0".repeat(24));
      await writeFile(draft, "mine");
      await utimes(draft, new Date(0), new Date(0));
      await mkdir(join(folder, "aside"), { recursive: true });
      await mkdir(join(outside, ".."), { recursive: true });
      await rename(join(folder, name), outside);
      await symlink(outside, join(folder, name).replace(/\/$/, ""));
      const before = await filesOf(outside);
      pass(7_200_000);
      await archive.put(contentOf("new")).catch(() => {});
      await archive.close();
      expect(await filesOf(outside)).toEqual(before);
      expect(await archive.find("ada", { hash: old.hash })).toBeUndefined();
    },
  );
});
