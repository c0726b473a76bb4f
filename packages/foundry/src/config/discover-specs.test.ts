import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { refusalOf } from "../servers/testing/refusal.ts";
import { discoverSpecs } from "./discover-specs.ts";

let folder: string;
let repository: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "discover-")));
  repository = join(folder, "repository");
  await mkdir(join(repository, "packages/app"), { recursive: true });
  await mkdir(join(folder, "outside"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const refusal = {
  code: "INVALID_PATH",
  message: 'Cannot use the folder "specs": it is a link that leads out of its repository',
  remediation: "Name the folder that you want to use with --specs-dir or FOUNDRY_SPECS_DIR.",
  field: undefined,
};
const discover = (path: string) => refusalOf(async () => discoverSpecs(join(repository, path)));

it("finds the nearest folder", async () => {
  await mkdir(join(repository, "specs"));
  expect(await discover("packages/app")).toEqual({
    returned: { root: join(repository, "specs"), boundary: repository },
  });
});

it.runIf(process.platform !== "win32")("refuses a link that leads out of its repository", async () => {
  await symlink("../outside", join(repository, "specs"));
  expect(await discover("packages/app")).toEqual(refusal);
  await mkdir(join(repository, ".git"));
  expect(await discover("packages/app")).toEqual(refusal);
});

it.runIf(process.platform !== "win32")("follows a link within its repository", async () => {
  await mkdir(join(repository, "docs/specs"), { recursive: true });
  await symlink("../../docs/specs", join(repository, "packages/app/specs"));
  expect(await discover("packages/app")).toEqual(refusal);
  await writeFile(join(repository, ".git"), "gitdir: ../elsewhere");
  expect(await discover("packages/app")).toEqual({
    returned: { root: join(repository, "packages/app/specs"), boundary: repository },
  });
});
