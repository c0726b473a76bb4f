import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asyncCalls } from "./async-calls.ts";
import type { FileCalls } from "./file-calls.ts";
import { createFileTree } from "./file-tree.ts";

let base: string;
let root: string;
beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "tree-")));
  root = join(base, "root");
  for (const folder of [join(root, "in"), join(base, "elsewhere")]) await mkdir(folder, { recursive: true });
  await writeFile(join(root, "in", "x.txt"), "inside");
  await writeFile(join(base, "elsewhere", "x.txt"), "outside");
});
afterAll(() => rm(base, { recursive: true, force: true }));

const leadsOut = {
  code: "INVALID_PATH",
  message: 'Cannot read "in/x.txt": a link leads out of the folder',
};

/** Replaces the folder `in` with a link to another folder, and undoes the replacement. */
const exchange = async () => {
  await rename(join(root, "in"), join(base, "aside"));
  await symlink(join(base, "elsewhere"), join(root, "in"));
};
const putBack = async () => {
  await rm(join(root, "in"));
  await rename(join(base, "aside"), join(root, "in"));
};

describe("a tree of files", () => {
  it("is read below its root, and anywhere without one", async () => {
    const tree = createFileTree({ root });
    expect(String(await tree.readFile("in/x.txt", 100))).toBe("inside");
    expect(await tree.list(join(root, "in"))).toEqual([{ name: "x.txt", kind: "file" }]);
    await expect(tree.readFile("../elsewhere/x.txt", 100)).rejects.toMatchObject({
      code: "INVALID_PATH",
      message: 'Cannot read "../elsewhere/x.txt": it is outside of the folder',
    });
    await expect(tree.readFile("in/x.txt", 5)).rejects.toMatchObject({ code: "CONTENT_TOO_LARGE" });
    expect(String(await createFileTree().readFile(join(base, "elsewhere", "x.txt"), 100))).toBe("outside");
  });

  it.each([true, false])(
    "is not left through a folder that is replaced by a link, whether it is put back (%s) or not",
    async (isPutBack) => {
      const calls: FileCalls = {
        ...asyncCalls,
        async open(...given) {
          await exchange();
          const file = await asyncCalls.open(...given);
          if (isPutBack) await putBack();
          return file;
        },
      };
      await expect(createFileTree({ root, calls }).readFile("in/x.txt", 100)).rejects.toMatchObject(leadsOut);
      if (!isPutBack) await putBack();
      expect(String(await createFileTree({ root }).readFile("in/x.txt", 100))).toBe("inside");
    },
  );

  it("refuses to list a folder that a link leads to", async () => {
    await symlink("in", join(root, "way"));
    await expect(createFileTree({ root }).list(join(root, "way"))).rejects.toMatchObject({
      code: "INVALID_PATH",
      message: `Cannot list ${JSON.stringify(join(root, "way"))}: a link leads out of the folder`,
    });
  });
});
