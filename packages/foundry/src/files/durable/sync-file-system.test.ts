import { mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FileSystem } from "./file-system.ts";
import { nodeFileSystem } from "./node-file-system.ts";
import { syncFileSystem } from "./sync-file-system.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "foundry-sync-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** What a step comes to: its value, or the code of its failure. */
const outcome = (work: Promise<unknown>) =>
  work.then(
    (value) => ({ value }),
    (err: NodeJS.ErrnoException) => ({ code: err.code }),
  );

/** Every operation once where it works and once where it cannot, in a folder of its own. */
async function story(fs: FileSystem, name: string): Promise<readonly unknown[]> {
  const at = (path: string) => join(folder, name, path);
  const told: unknown[] = [];
  const tell = async (work: Promise<unknown>) => told.push(await outcome(work));
  await tell(fs.mkdir(at("deep/er")).then((path) => path === join(folder, name)));
  await tell(fs.mkdir(at("deep/er")));
  const file = await fs.create(at("a"));
  await tell(file.writev([Buffer.from("on"), Buffer.from("e")]));
  await tell(file.chmod(0o640));
  await tell(file.sync());
  await tell(file.close());
  await tell(fs.create(at("a")));
  await tell(fs.readFile(at("a")).then((bytes) => Buffer.from(bytes).toString()));
  await tell(fs.readFile(at("none")));
  await tell(fs.readFile(at("deep")));
  await tell(fs.stat(at("a")).then(({ size, mode }) => [size, mode & 0o777]));
  await tell(fs.stat(at("none")));
  await symlink("a", at("l"));
  await tell(fs.lstat(at("l")).then((found) => found.isSymbolicLink()));
  await tell(fs.stat(at("l")).then((found) => found.isFile()));
  await tell(fs.lstat(at("none")));
  await tell(fs.realpath(at("l")).then((path) => path.endsWith(join(name, "a"))));
  await tell(fs.realpath(at("none")));
  await tell(fs.requireWritable(at("a")));
  await tell(fs.requireWritable(at("none")));
  await tell(fs.link(at("a"), at("b")));
  await tell(fs.link(at("a"), at("b")));
  await tell(fs.rename(at("b"), at("c")));
  await tell(fs.rename(at("b"), at("c")));
  await tell(fs.readdir(at("")).then((names) => names.toSorted()));
  await tell(fs.readdir(at("a")));
  await tell(fs.syncFolder(at("deep")));
  await tell(fs.syncFolder(at("none")));
  await tell(fs.unlink(at("c")));
  await tell(fs.unlink(at("c")));
  return told;
}

describe("syncFileSystem", () => {
  it("behaves as nodeFileSystem does, errors included", async () => {
    const [synchronous, other] = [await story(syncFileSystem, "s"), await story(nodeFileSystem, "n")];
    expect(synchronous).toEqual(other);
    expect(synchronous.filter((each) => (each as { code?: string }).code !== undefined)).toHaveLength(12);
  });

  it("fails with a rejection, never with a throw", async () => {
    const work = syncFileSystem.readFile(join(folder, "none"));
    await expect(work).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("writes complete files", async () => {
    await writeFile(join(folder, "x"), "old");
    const file = await syncFileSystem.create(join(folder, "draft"));
    await file.writev([Buffer.from("new")]);
    await file.close();
    await syncFileSystem.rename(join(folder, "draft"), join(folder, "x"));
    expect(await readFile(join(folder, "x"), "utf8")).toBe("new");
    await expect(stat(join(folder, "draft"))).rejects.toMatchObject({ code: "ENOENT" });
  });
});
