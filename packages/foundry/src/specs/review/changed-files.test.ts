import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ChangesRequest, readChanges } from "./changed-files.ts";
import { createRepository, type TestRepository } from "./testing/repository.ts";

let repository: TestRepository;
beforeEach(() => {
  repository = createRepository();
});
afterEach(() => repository.remove());

const changes = (paths: readonly string[], own: Partial<ChangesRequest> = {}) =>
  readChanges({ folder: repository.folder, paths, ...own });
const added = (path: string, diff: string) => ({
  path,
  status: "added",
  lines_added: 1,
  lines_removed: 0,
  diff,
});

describe("the changes of files", () => {
  test("begin with the last commit before the work, and include what is not committed", async () => {
    repository.write("a.txt", "1\n");
    repository.write("gone.txt", "x\n");
    repository.write("same.txt", "x\n");
    const base = repository.commit("2026-01-01T00:00:00Z");
    repository.write("a.txt", "2\n");
    repository.commit("2026-01-03T00:00:00Z");
    repository.write("a.txt", "3\n");
    repository.write("new.txt", "new\n");
    rmSync(join(repository.folder, "gone.txt"));
    const paths = ["a.txt", "gone.txt", "same.txt", "new.txt", "never.txt"];
    expect(await changes(paths, { since: "2026-01-02T00:00:00.000Z" })).toEqual({
      base,
      files: [
        {
          path: "a.txt",
          status: "modified",
          lines_added: 1,
          lines_removed: 1,
          diff: "@@ -1 +1 @@\n-1\n+3\n",
        },
        {
          path: "gone.txt",
          status: "deleted",
          lines_added: 0,
          lines_removed: 1,
          diff: "@@ -1 +0,0 @@\n-x\n",
        },
        added("new.txt", "@@ -0,0 +1 @@\n+new\n"),
      ],
      omitted: [{ path: "never.txt", reason: "it does not exist, or git ignores it" }],
    });
  });

  test("are followed on the first-parent line", async () => {
    repository.write("a.txt", "1\n");
    const base = repository.commit("2026-01-01T00:00:00Z");
    repository.git("checkout", "-q", "-b", "side");
    repository.write("a.txt", "side\n");
    repository.commit("2026-01-02T00:00:00Z");
    repository.git("checkout", "-q", "main");
    repository.git("merge", "-q", "--no-ff", "-m", "merged", "side");
    expect(await changes(["a.txt"], { since: "2026-01-05T00:00:00Z" })).toMatchObject({ base });
  });

  test("without a time are those since the commit that is checked out", async () => {
    repository.write("a.txt", "1\n");
    const head = repository.commit("2026-01-01T00:00:00Z");
    expect(await changes(["a.txt"])).toEqual({ base: head, files: [], omitted: [] });
  });

  test("before the first commit are everything", async () => {
    repository.write("a.txt", "1\n");
    expect(await changes(["a.txt"])).toEqual({
      base: null,
      files: [added("a.txt", "@@ -0,0 +1 @@\n+1\n")],
      omitted: [],
    });
  });

  test("of a folder are those of its files, without what git ignores", async () => {
    repository.write(".gitignore", "*.log\n.env\n");
    repository.write("src/a.txt", "1\n");
    repository.commit("2026-01-01T00:00:00Z");
    repository.write("src/a.txt", "2\n");
    repository.write("src/b.txt", "b\n");
    repository.write("src/c.log", "c\n");
    repository.write(".env", "KEY=secret\n");
    const { files, omitted } = await changes(["src", ".env"]);
    expect(files.map(({ path, status }) => [path, status])).toEqual([
      ["src/a.txt", "modified"],
      ["src/b.txt", "added"],
    ]);
    expect(omitted).toEqual([{ path: ".env", reason: "it does not exist, or git ignores it" }]);
  });

  test("are found where the workspace is a part of the repository", async () => {
    repository.write("packages/one/a.txt", "1\n");
    repository.write("a.txt", "1\n");
    repository.commit("2026-01-01T00:00:00Z");
    repository.write("packages/one/a.txt", "2\n");
    const { files, omitted } = await changes(["a.txt", "../../a.txt"], {
      folder: join(repository.folder, "packages/one"),
    });
    expect(files.map(({ path }) => path)).toEqual(["a.txt"]);
    expect(omitted).toEqual([{ path: "../../a.txt", reason: "it is outside of the workspace, or private" }]);
  });

  test("are found in a linked work tree, in packed references, and with SHA-256", async () => {
    repository.write("a.txt", "1\n");
    const base = repository.commit("2026-01-01T00:00:00Z");
    repository.git("pack-refs", "--all");
    const linked = join(repository.base, "linked");
    repository.git("worktree", "add", "-q", linked);
    writeFileSync(join(linked, "a.txt"), "2\n");
    const found = await changes(["a.txt"], { folder: linked });
    expect([found.base, found.files.map(({ diff }) => diff)]).toEqual([base, ["@@ -1 +1 @@\n-1\n+2\n"]]);
    const other = createRepository("--object-format=sha256");
    other.write("a.txt", "1\n");
    other.write("b.txt", "1\n");
    const long = other.commit("2026-01-01T00:00:00Z");
    other.write("b.txt", "2\n");
    const sha256 = await readChanges({ folder: other.folder, paths: ["a.txt", "b.txt"] });
    other.remove();
    expect([sha256.base, sha256.files.map(({ path }) => path)]).toEqual([long, ["b.txt"]]);
  });

  test("of a shallow clone begin where its history does", async () => {
    for (const [at, text] of ["2026-01-01", "2026-01-03"].entries()) {
      repository.write("a.txt", `${at}\n`);
      repository.commit(`${text}T00:00:00Z`);
    }
    const folder = join(repository.base, "clone");
    repository.git("clone", "-q", "--depth", "1", `file://${repository.folder}`, folder);
    writeFileSync(join(folder, "a.txt"), "mine\n");
    const after = await changes(["a.txt"], { folder, since: "2026-01-04T00:00:00Z" });
    expect(after.files.map(({ diff }) => diff)).toEqual(["@@ -1 +1 @@\n-1\n+mine\n"]);
    await expect(changes(["a.txt"], { folder, since: "2026-01-02T00:00:00Z" })).rejects.toThrow(
      "the clone is shallow, and its history begins after the start of the work",
    );
  });

  test("take no file name for an option, a pattern or two names", async () => {
    const names = ["-x", "--output=y", ":(glob)**", ":!a", "a b", 'q"q', "new\nline", "ü.txt", "*"];
    for (const name of names) repository.write(name, "1\n");
    repository.write("other", "1\n");
    repository.commit("2026-01-01T00:00:00Z");
    for (const name of [...names, "other"]) repository.write(name, "2\n");
    const { files, omitted } = await changes(names);
    expect(files.map(({ path }) => path).toSorted()).toEqual(names.toSorted());
    expect(omitted).toEqual([]);
  });

  test("of binary, large and linked files, and of other places, are not shown", async () => {
    repository.write("binary", new Uint8Array([1, 0, 2]));
    repository.write("large", "x".repeat(2 ** 20 + 1));
    writeFileSync(join(repository.outside, "secret"), "secret\n");
    symlinkSync(join(repository.outside, "secret"), join(repository.folder, "link"));
    symlinkSync(repository.outside, join(repository.folder, "linked"));
    const paths = ["binary", "large", "link", "linked/secret", "../outside/secret", ".git/config"];
    const { files, omitted } = await changes([...paths, "", "a\0b", "/etc/passwd", "."]);
    expect(files).toEqual([]);
    expect(Object.fromEntries(omitted.map(({ path, reason }) => [path, reason]))).toEqual({
      binary: "it is binary, and has changed",
      large: "it is too large",
      link: "it is a symbolic link",
      "linked/secret": "it does not exist, or git ignores it",
      ...Object.fromEntries(
        ["../outside/secret", ".git/config", "", "a\0b", "/etc/passwd", "."].map((path) => [
          path,
          "it is outside of the workspace, or private",
        ]),
      ),
    });
  });

  test("are no change of line ends that a checkout converted", async () => {
    repository.write("a.txt", "1\n2\n");
    repository.commit("2026-01-01T00:00:00Z");
    repository.write("a.txt", "1\r\n2\r\n");
    expect((await changes(["a.txt"])).files).toEqual([]);
  });
});

describe("there are no changes to show", () => {
  test("outside of a repository", async () => {
    await expect(changes(["a"], { folder: repository.outside })).rejects.toThrow(
      "the workspace is not in a git repository",
    );
  });

  test("without git, and git of the workspace is not run", async () => {
    const bin = join(repository.folder, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "git"), `#!/bin/sh\ntouch ${repository.outside}/ran\n`);
    chmodSync(join(bin, "git"), 0o755);
    const linked = join(repository.outside, "bin");
    symlinkSync(bin, linked);
    for (const path of ["", "bin", bin, linked, `bin:${bin}`])
      await expect(changes(["a"], { path })).rejects.toThrow("git is not installed outside of the workspace");
  });
});
