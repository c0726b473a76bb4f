import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readChanges } from "./changed-files.ts";
import { createRepository, type TestRepository } from "./testing/repository.ts";

let repository: TestRepository;
/** A program that creates a file when it runs. */
let program: string;
let head: string;
beforeEach(() => {
  repository = createRepository();
  program = join(repository.outside, "program");
  writeFileSync(program, `#!/bin/sh\ntouch "${repository.outside}/ran"\n`);
  chmodSync(program, 0o755);
  repository.write("a.txt", "1\n");
  head = repository.commit("2026-01-01T00:00:00Z");
  repository.write("a.txt", "2\n");
});
afterEach(() => {
  vi.unstubAllEnvs();
  repository.remove();
});

const changes = () => readChanges({ folder: repository.folder, paths: ["a.txt"] });
const expected = () => ({
  base: head,
  files: [
    {
      path: "a.txt",
      status: "modified",
      lines_added: 1,
      lines_removed: 1,
      diff: "@@ -1 +1 @@\n-1\n+2\n",
    },
  ],
  omitted: [],
});
const hasRun = () => existsSync(join(repository.outside, "ran"));
const inGit = (...names: string[]) => join(repository.folder, ".git", ...names);
/** Returns every file of the repository with its modification time and its content. */
const snapshot = () =>
  readdirSync(repository.folder, { recursive: true, encoding: "utf8" })
    .toSorted()
    .map((name) => {
      const path = join(repository.folder, name);
      const stat = lstatSync(path);
      return [name, stat.mtimeMs, stat.isFile() ? readFileSync(path, "hex") : ""];
    });

/**
 * Settings that make git run a program. Each has a git command that shows the effect of the setting; a pager
 * has none, because it needs a terminal.
 */
const attacks: readonly (readonly [
  name: string,
  config: string,
  attributes: string,
  control: string[] | undefined,
])[] = [
  ["core.fsmonitor", "[core]\nfsmonitor = PROGRAM", "", ["status"]],
  ["core.hooksPath", "[core]\nhooksPath = HOOKS", "", ["status"]],
  ["diff.external", "[diff]\nexternal = PROGRAM", "", ["diff"]],
  ["a diff driver", '[diff "x"]\ncommand = PROGRAM', "* diff=x", ["diff"]],
  ["textconv", '[diff "x"]\ntextconv = PROGRAM', "* diff=x", ["diff"]],
  ["a clean filter", '[filter "x"]\nclean = PROGRAM', "* filter=x", ["diff"]],
  ["a filter process", '[filter "x"]\nprocess = PROGRAM', "* filter=x", ["diff"]],
  ["a pager", "[core]\npager = PROGRAM", "", undefined],
  ["an alias", "[alias]\nlook = !PROGRAM", "", ["look"]],
  [
    "core.sshCommand of a remote",
    '[core]\nsshCommand = PROGRAM\n[remote "origin"]\nurl = ssh://nowhere/x',
    "",
    ["ls-remote", "origin"],
  ],
  [
    "a promisor remote that is asked for missing objects",
    '[core]\nrepositoryFormatVersion = 1\n[extensions]\npartialClone = origin\n[remote "origin"]\nurl = FOLDER\npromisor = true\nuploadpack = PROGRAM',
    "",
    ["cat-file", "blob", "0123456789012345678901234567890123456789"],
  ],
  ["settings of another file", "[include]\npath = OTHER", "", ["status"]],
];

describe("a hostile repository", () => {
  test.each(attacks)("runs no program by %s", async (_name, config, attributes, control) => {
    mkdirSync(join(repository.outside, "hooks"));
    symlinkSync(program, join(repository.outside, "hooks", "post-index-change"));
    writeFileSync(join(repository.outside, "other"), `[core]\nfsmonitor = ${program}\n`);
    const text = config
      .replaceAll("PROGRAM", program)
      .replace("HOOKS", join(repository.outside, "hooks"))
      .replace("FOLDER", repository.outside)
      .replace("OTHER", join(repository.outside, "other"));
    writeFileSync(inGit("config"), `${readFileSync(inGit("config"), "utf8")}${text}\n`);
    mkdirSync(inGit("info"), { recursive: true });
    writeFileSync(inGit("info", "attributes"), `${attributes}\n`);
    const temporary = join(repository.base, "temporary");
    mkdirSync(temporary);
    vi.stubEnv("TMPDIR", temporary);
    const before = snapshot();
    expect(await changes()).toEqual(expected());
    expect([hasRun(), snapshot()]).toEqual([false, before]);
    expect(readdirSync(temporary)).toEqual([]);
    if (control === undefined) return;
    // This check shows that the setting works: git runs the program if it reads the setting.
    const env = { PATH: process.env["PATH"], HOME: repository.base };
    // `git status` always writes the index, and so runs the hook, if an unchanged file has a new time.
    if (control.includes("status")) repository.write("a.txt", "1\n");
    spawnSync("git", control, { cwd: repository.folder, env });
    expect(hasRun()).toBe(true);
  });

  test("fetches no object that it lacks", async () => {
    const id = repository.git("rev-parse", "HEAD:a.txt");
    rmSync(inGit("objects", id.slice(0, 2), id.slice(2)), { force: true });
    repository.git("config", "core.repositoryFormatVersion", "1");
    repository.git("config", "extensions.partialClone", "origin");
    repository.git("config", "remote.origin.url", repository.outside);
    repository.git("config", "remote.origin.uploadpack", program);
    expect(await changes()).toEqual({
      base: head,
      files: [],
      omitted: [{ path: "a.txt", reason: "git cannot read its earlier text" }],
    });
    expect(hasRun()).toBe(false);
  });

  test("does not lead git elsewhere by core.worktree", async () => {
    writeFileSync(join(repository.outside, "a.txt"), "secret\n");
    repository.git("config", "core.worktree", repository.outside);
    expect(await changes()).toEqual(expected());
  });

  test("is not read by variables of the environment", async () => {
    const other = createRepository();
    for (const [name, value] of Object.entries({
      GIT_DIR: join(other.folder, ".git"),
      GIT_WORK_TREE: other.folder,
      GIT_INDEX_FILE: join(other.folder, ".git", "index"),
      GIT_EXTERNAL_DIFF: program,
      GIT_PAGER: program,
      GIT_SSH_COMMAND: program,
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.fsmonitor",
      GIT_CONFIG_VALUE_0: program,
      GIT_TRACE: join(repository.outside, "ran"),
    }))
      vi.stubEnv(name, value);
    expect(await changes()).toEqual(expected());
    other.remove();
    expect(hasRun()).toBe(false);
  });

  test("does not show another repository", async () => {
    const refuse = async (why: string) => expect(changes()).rejects.toThrow(why);
    const other = createRepository();
    other.write("a.txt", "secret\n");
    other.commit("2026-01-01T00:00:00Z");
    const theirs = join(other.folder, ".git");
    rmSync(inGit("HEAD"));
    symlinkSync(join(theirs, "HEAD"), inGit("HEAD"));
    await refuse("the HEAD of the repository cannot be read");
    rmSync(inGit("HEAD"));
    writeFileSync(inGit("HEAD"), `ref: refs/../../../${other.folder}/.git/refs/heads/main\n`);
    expect(await changes()).toMatchObject({ base: null });
    renameSync(inGit("objects"), inGit("objects-of-old"));
    symlinkSync(join(theirs, "objects"), inGit("objects"));
    await refuse("the repository has no objects of its own");
    rmSync(inGit(), { recursive: true });
    symlinkSync(theirs, inGit());
    await refuse("its .git is a link");
    rmSync(inGit());
    other.git("worktree", "add", "-q", join(other.base, "linked"));
    for (const named of [theirs, join(theirs, "worktrees", "linked"), "nowhere", ""]) {
      writeFileSync(inGit(), `gitdir: ${named}\n`);
      await refuse("its .git file refers to a folder that does not refer back to this work tree");
    }
    other.remove();
  });

  test("does not hold us up with pipes, nor break with garbage", async () => {
    const replace = (path: string, make: (path: string) => void) => {
      rmSync(path, { recursive: true, force: true });
      make(path);
    };
    const pipe = (path: string) => void spawnSync("mkfifo", [path]);
    for (const name of ["config", "index", "shallow", "packed-refs"]) replace(inGit(name), pipe);
    mkdirSync(inGit("info"), { recursive: true });
    replace(inGit("info", "attributes"), pipe);
    expect(await changes()).toEqual(expected());
    replace(inGit("index"), (path) => writeFileSync(path, "garbage"));
    await expect(changes()).rejects.toThrow("git cannot read the repository");
    rmSync(inGit("index"));
    replace(join(repository.folder, "a.txt"), pipe);
    expect((await changes()).omitted).toEqual([{ path: "a.txt", reason: "it is no regular file" }]);
    replace(inGit("HEAD"), pipe);
    await expect(changes()).rejects.toThrow("the HEAD of the repository cannot be read");
    replace(inGit("HEAD"), (path) => writeFileSync(path, "garbage"));
    await expect(changes()).rejects.toThrow("the HEAD of the repository cannot be read");
    replace(inGit("HEAD"), (path) => writeFileSync(path, `${"0".repeat(40)}\n`));
    await expect(changes()).rejects.toThrow("git cannot read the repository");
  });
});
