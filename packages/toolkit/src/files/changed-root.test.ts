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
