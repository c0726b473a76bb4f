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
          error: `Cannot use the setting specs_dir of ${join(repository, "foundry.toml")}: its path leads out of the folder of that file`,
          data: { error_code: "INVALID_PATH" },
        });
    } finally {
      await server.close();
    }
    expect((await readdir(join(base, "outside"), { recursive: true })).toSorted()).toEqual(["active"]);
  });
});
