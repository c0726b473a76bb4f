import { chmod, mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWorkspaceFiles } from "./workspace-files.ts";

let root: string;
beforeEach(async () => {
  root = join(await mkdtemp(join(tmpdir(), "inherit-")), "root");
  await mkdir(root);
});
afterEach(() => rm(join(root, ".."), { recursive: true, force: true }));

const modeOf = async (name: string) => ((await stat(join(root, name))).mode & 0o7777).toString(8);

/**
 * Creates a file, a folder and a log in a folder with the given mode, and returns their modes; `wanted` is the
 * requested mode.
 */
async function createIn(mode: number, options: { wanted?: number; isPersonal?: boolean } = {}) {
  const { wanted, isPersonal } = options;
  await chmod(root, mode);
  const files = createWorkspaceFiles({ root, isPersonal });
  await (await files.create(join(root, "file"), wanted)).close();
  await files.mkdir(join(root, "a/b"), { mode: wanted === undefined ? undefined : wanted | 0o100 });
  await files.append(join(root, "log"), Buffer.from("x"), { mode: wanted });
  return Promise.all(["file", "log", "a", "a/b"].map(modeOf));
}

// Windows has no modes.
describe.skipIf(process.platform === "win32")("a new file or folder", () => {
  let umask: number;
  beforeEach(() => {
    umask = process.umask();
  });

  it("follows the umask in a folder that nobody shares", async () => {
    const [file, folder] = [(0o666 & ~umask).toString(8), (0o777 & ~umask).toString(8)];
    expect(await createIn(0o777)).toEqual([file, file, folder, folder]);
  });

  it("is shared in a folder that a group shares, also one that should be private", async () => {
    expect(await createIn(0o2770)).toEqual(["660", "660", "2770", "2770"]);
    await rm(root, { recursive: true });
    await mkdir(root);
    expect(await createIn(0o2775, { wanted: 0o600 })).toEqual(["660", "660", "2770", "2770"]);
  });

  it("is private in a private folder", async () => {
    expect(await createIn(0o700)).toEqual(["600", "600", "700", "700"]);
  });

  it("is no more open than its folder", async () => {
    expect((await createIn(0o750)).map((mode) => mode.at(-1))).toEqual(["0", "0", "0", "0"]);
  });

  it("has the mode that is asked for in a personal folder", async () => {
    const modes = await createIn(0o2775, { wanted: 0o600, isPersonal: true });
    // On Linux, new folders inherit the setgid bit by themselves.
    expect(modes.map((mode) => mode.slice(-3))).toEqual(["600", "600", "700", "700"]);
  });

  it("takes the mode of the file that it replaces", async () => {
    await chmod(root, 0o2775);
    const file = await createWorkspaceFiles({ root }).create(join(root, "file"));
    await file.adopt({ ...(await stat(root)), mode: 0o100640 });
    await file.close();
    expect(await modeOf("file")).toBe("640");
  });
});
