import { mkdir, mkdtemp, readdir, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openServer } from "./open-server.ts";

let base: string;
let repository: string;
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "location-")));
  repository = join(base, "repository");
  for (const folder of ["repository/plans/active", "outside/active"])
    await mkdir(join(base, folder), { recursive: true });
});
afterEach(() => rm(base, { recursive: true, force: true }));

describe("a specs folder that a checkout replaces by a link before the first call of a server", () => {
  it.each(["plans", "plans/active"])("is not followed where foundry.toml names %s", async (named) => {
    await writeFile(join(repository, "foundry.toml"), `specs_dir = "${named}"\n`);
    const server = await openServer({ cwd: repository, settings: { tools: "all" } });
    try {
      await rename(join(repository, "plans"), join(base, "former"));
      await symlink(join(base, "outside"), join(repository, "plans"));
      const calls = [
        ["spec", { action: "list" }],
        ["authoring", { action: "spec-create", name: "made" }],
        ["research", { action: "list" }],
        ["content", { action: "list" }],
      ] as const;
      for (const [tool, args] of calls)
        expect(await server.registry.call(tool, args), `${tool} ${args.action}`).toMatchObject({
          success: false,
          error: `Cannot use the setting specs_dir of ${join(repository, "foundry.toml")}: its path leads outside the folder of that file`,
          data: { error_code: "INVALID_PATH" },
        });
    } finally {
      await server.close();
    }
    expect((await readdir(join(base, "outside"), { recursive: true })).toSorted()).toEqual(["active"]);
  });
});

describe("a specs folder that a checkout leads out of the repository while a server uses it", () => {
  const cases: readonly (readonly [name: string, specsDir: string, replaced: string, ofDigest: string])[] = [
    ["a parent becomes a link", "plans/active", "plans", "FORBIDDEN"],
    ["a link in its place changes", "linked", "linked", "NOT_FOUND"],
    ["a link above it changes", "linked/active", "linked", "FORBIDDEN"],
    ["a discovered folder that is a link changes", "specs", "specs", "NOT_FOUND"],
  ];

  it.each(cases)("is not followed: %s", async (_name, specsDir, replaced, ofDigest) => {
    for (const link of ["linked", "specs"]) await symlink("plans", join(repository, link));
    await mkdir(join(repository, ".git"));
    for (const folder of ["outside", "outside/active"]) {
      await mkdir(join(base, folder, ".foundry", "research"), { recursive: true });
      await mkdir(join(base, folder, "active"), { recursive: true });
      await writeFile(join(base, folder, "active", "one.json"), "{}");
    }
    await writeFile(join(base, "outside", "notes.txt"), "The words of the outside.");
    if (specsDir !== "specs")
      await writeFile(join(repository, "foundry.toml"), `specs_dir = "${specsDir}"\n`);
    const server = await openServer({ cwd: repository, settings: { tools: "all" } });
    const { call } = server.registry;
    const calls = [
      ["spec", { action: "list" }],
      ["spec", { action: "get", spec_id: "one" }],
      ["authoring", { action: "spec-create", name: "made" }],
      ["research", { action: "list" }],
      ["research", { action: "digest", source: { path: "notes.txt" } }],
    ] as const;
    try {
      for (const [tool, args] of calls) await call(tool, args);
      const before = (await readdir(join(base, "outside"), { recursive: true })).toSorted();
      await rename(join(repository, replaced), join(base, "former"));
      await symlink(join(base, "outside"), join(repository, replaced));
      const answers: unknown[] = [];
      for (const [tool, args] of calls) {
        const { success, data } = await call(tool, args);
        answers.push([tool, args.action, success ? data : data["error_code"]]);
      }
      expect(answers).toEqual([
        ["spec", "list", "INVALID_PATH"],
        ["spec", "get", "INVALID_PATH"],
        ["authoring", "spec-create", "INVALID_PATH"],
        ["research", "list", "INVALID_PATH"],
        ["research", "digest", ofDigest],
      ]);
      expect((await readdir(join(base, "outside"), { recursive: true })).toSorted()).toEqual(before);
    } finally {
      await server.close();
    }
  });
});
