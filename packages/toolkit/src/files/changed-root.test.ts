import { mkdir, mkdtemp, readdir, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWorkspaceFiles } from "./workspace-files.ts";

let base: string;
let root: string;
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "changed-root-")));
  root = join(base, "specs");
  for (const folder of ["specs/active", "specs/.own", "outside/active", "outside/.own"])
    await mkdir(join(base, folder), { recursive: true });
  await writeFile(join(base, "outside", "active", "a.json"), "outside");
});
afterEach(() => rm(base, { recursive: true, force: true }));

describe("a root that a checkout replaces by a link while it is used", () => {
  it("is not followed, for reads, writes, folders and private files alike", async () => {
    const files = createWorkspaceFiles({ root, privateFolder: ".own" });
    await files.readdir(join(root, "active"));
    await rename(root, join(base, "before"));
    await symlink("outside", root);
    const attempts = [
      () => files.readFile(join(root, "active", "a.json"), 100),
      () => files.readdir(join(root, "active")),
      () => files.readdir(root),
      () => files.append(join(root, ".own", "log"), Buffer.from("x")),
      () => files.create(join(root, "active", "b.json")),
      () => files.create(join(root, "c.json")),
      () => files.mkdir(join(root, "pending")),
      () => files.mkdir(join(root, ".own", "deep")),
    ];
    for (const attempt of attempts)
      await expect(attempt()).rejects.toMatchObject({
        code: "INVALID_PATH",
        message: expect.stringMatching(/: a link leads out of the folder$/),
      });
    expect((await readdir(join(base, "outside"), { recursive: true })).toSorted()).toEqual([
      ".own",
      "active",
      join("active", "a.json"),
    ]);
  });

  it("is followed where it was a link from the start, also to another folder later", async () => {
    await rename(root, join(base, "before"));
    await symlink("before", root);
    const files = createWorkspaceFiles({ root });
    expect(await files.readdir(join(root, "active"))).toEqual([]);
    await rm(root);
    await symlink("outside", root);
    expect(await files.readdir(join(root, "active"))).toEqual(["a.json"]);
  });
});

describe("a boundary that the links of a root must not lead out of", () => {
  const leadsOut = {
    code: "INVALID_PATH",
    message: expect.stringMatching(/: a link leads out of the folder$/),
  };
  const open = (path: string) => createWorkspaceFiles({ root: path, boundary: join(base, "repository") });
  const attemptsOn = (path: string) => {
    const files = open(path);
    return [
      () => files.readdir(path),
      () => files.readFile(join(path, "active", "a.json"), 100),
      () => files.readdir(join(path, "active")),
      () => files.create(join(path, "c.json")),
      () => files.mkdir(join(path, "pending", "deep")),
    ];
  };
  const listOutside = async () => (await readdir(join(base, "outside"), { recursive: true })).toSorted();

  beforeEach(async () => {
    await mkdir(join(base, "repository", "docs", "specs", "active"), { recursive: true });
    for (const name of ["specs", "docs/specs"])
      await mkdir(join(base, "outside", name, "active"), { recursive: true });
  });

  it("holds from the first use on, and for folders above the root that are missing or links", async () => {
    const before = await listOutside();
    await symlink("../outside", join(base, "repository", "away"));
    await symlink("../absent", join(base, "repository", "nowhere"));
    for (const name of ["away", "away/specs", "away/missing", "nowhere", "nowhere/specs"])
      for (const attempt of attemptsOn(join(base, "repository", name)).slice(3))
        await expect(attempt(), name).rejects.toMatchObject(leadsOut);
    expect(await listOutside()).toEqual(before);
    expect(await readdir(base)).not.toContain("absent");
    await open(join(base, "repository", "new", "specs")).mkdir(join(base, "repository", "new", "specs", "b"));
    expect(await readdir(join(base, "repository", "new", "specs"))).toEqual(["b"]);
  });

  it("holds after a folder above the root or a link has changed, and when it is replaced itself", async () => {
    await symlink("docs", join(base, "repository", "linked"));
    await symlink("docs/specs", join(base, "repository", "own"));
    const before = await listOutside();
    for (const replaced of ["linked", "own", "docs", "."]) {
      const used = { linked: "linked/specs", own: "own", docs: "docs/specs", ".": "docs/specs" }[replaced];
      const path = join(base, "repository", String(used));
      const attempts = attemptsOn(path);
      await attempts[2]?.();
      await rename(join(base, "repository", replaced), join(base, "former"));
      await symlink(join(base, "outside"), join(base, "repository", replaced));
      for (const attempt of attempts) await expect(attempt(), replaced).rejects.toMatchObject(leadsOut);
      await rm(join(base, "repository", replaced));
      await rename(join(base, "former"), join(base, "repository", replaced));
    }
    expect(await listOutside()).toEqual(before);
  });
});
