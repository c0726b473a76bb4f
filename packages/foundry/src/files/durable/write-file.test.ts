import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWorkspaceFiles, type FileSystem } from "@foundry-mcp/toolkit/files";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { refusalOf } from "../../servers/testing/refusal.ts";
import { Crash, type Faults, FaultyFileSystem } from "./testing/faulty-file-system.ts";
import { createFile, moveFile, replaceFile } from "./write-file.ts";

let root: string;
let files: FileSystem;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "write-file-"));
  files = createWorkspaceFiles({ root });
  await mkdir(join(root, "active"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const at = (name: string) => join(root, name);
const bytes = (...texts: string[]) => texts.map((text) => Buffer.from(text));
const read = (name: string) => readFile(at(name), "utf8");
const namesIn = async (name: string) => (await readdir(at(name))).sort();

const replace = async (watched: FaultyFileSystem, ...texts: string[]) => {
  await replaceFile(watched.fs, at("active/a.json"), bytes(...texts), {
    root,
    beforeRename: async () => void watched.calls.push("(check)"),
  });
  watched.calls.push("(return)");
};
const create = (watched: FaultyFileSystem) =>
  createFile(watched.fs, at("active/a.json"), bytes("n", "ew"), { root });
const move = (watched: FaultyFileSystem) =>
  moveFile(watched.fs, at("active/a.json"), at("done/a.json"), { root });

const look = ["resolve a.json", "requireWritable a.json"];
const unrooted = (calls: readonly string[]) =>
  calls.map((call) => call.replace(root.split("/").at(-1) ?? "", "ROOT"));

describe("the order of calls", () => {
  it("of a replacement: write, sync, check, rename, sync the folder, return", async () => {
    await writeFile(at("active/a.json"), "old", { mode: 0o640 });
    const watched = new FaultyFileSystem(files);
    await replace(watched, "n", "ew");
    expect(unrooted(watched.calls)).toEqual([
      ...look,
      "create .a.json.tmp",
      "adopt 640",
      "writev",
      "sync",
      "close",
      "(check)",
      "rename .a.json.tmp a.json",
      "syncFolder active",
      "(return)",
    ]);
    expect(await read("active/a.json")).toBe("new");
    expect((await stat(at("active/a.json"))).mode & 0o777).toBe(0o640);
    expect(await namesIn("active")).toEqual(["a.json"]);
  });

  it("of a new file, in a folder that is new too", async () => {
    const watched = new FaultyFileSystem(files);
    await createFile(watched.fs, at("x/y/a.json"), bytes("new"), { root });
    expect(unrooted(watched.calls)).toEqual([
      "mkdir y",
      "syncFolder x",
      "syncFolder ROOT",
      "resolve a.json",
      "create .a.json.tmp",
      "writev",
      "sync",
      "close",
      "link .a.json.tmp a.json",
      "unlink .a.json.tmp",
      "syncFolder y",
    ]);
    expect(await read("x/y/a.json")).toBe("new");
    expect(await namesIn("x/y")).toEqual(["a.json"]);
  });

  it("of a move: the rename, then both folders", async () => {
    await writeFile(at("active/a.json"), "old");
    await mkdir(at("done"));
    const watched = new FaultyFileSystem(files);
    await move(watched);
    expect(unrooted(watched.calls)).toEqual([
      "resolve a.json",
      "mkdir done",
      "resolve a.json",
      "rename a.json a.json",
      "syncFolder done",
      "syncFolder active",
    ]);
    expect([await namesIn("active"), await namesIn("done")]).toEqual([[], ["a.json"]]);
  });
});

describe("a disk that takes few bytes at a time", () => {
  it("gets all bytes of all chunks", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 6 }),
        fc.integer({ min: 1, max: 12 }),
        async (pieces, maxWriteBytes) => {
          const { fs } = new FaultyFileSystem(files, { maxWriteBytes });
          await replaceFile(fs, at("active/a.json"), pieces, { root });
          expect(await readFile(at("active/a.json"))).toEqual(Buffer.concat(pieces));
        },
      ),
      { numRuns: 60 },
    );
  });

  it("fails once it accepts none", async () => {
    await writeFile(at("active/a.json"), "old");
    const { fs } = new FaultyFileSystem(files, { maxWriteBytes: 0 });
    await expect(replaceFile(fs, at("active/a.json"), bytes("new"), { root })).rejects.toMatchObject({
      code: "UNAVAILABLE",
    });
    expect([await read("active/a.json"), await namesIn("active")]).toEqual(["old", ["a.json"]]);
  });
});

const codes = {
  ENOSPC: ["RESOURCE_EXHAUSTED", "the disk is full"],
  EDQUOT: ["RESOURCE_EXHAUSTED", "the quota of the disk is used up"],
  EACCES: ["FORBIDDEN", "permission is denied"],
  EROFS: ["UNAVAILABLE", "the disk is read-only"],
  EIO: ["UNAVAILABLE", "the disk reports an error"],
} as const;

/**
 * Runs the work once for each of its calls, with this call failing, and passes each failure to `judge`. Returns the
 * number of calls.
 */
async function failEverywhere(
  prepare: () => Promise<void>,
  work: (watched: FaultyFileSystem) => Promise<void>,
  code: string,
  judge: (failed: string, refusal: { code: string; message: string }) => Promise<void>,
): Promise<number> {
  for (let failAt = 1; ; failAt++) {
    await prepare();
    const watched = new FaultyFileSystem(files, { failAt, code });
    const refusal = (await refusalOf(() => work(watched))) as { code: string; message: string };
    if (watched.calls.length < failAt) return failAt - 1;
    await judge(watched.calls[failAt - 1] ?? "", refusal);
  }
}

describe.each(Object.entries(codes))("%s at any call", (code, [errorCode, why]) => {
  const fresh = async () => {
    await rm(at("done"), { recursive: true, force: true });
    await writeFile(at("active/a.json"), "old");
  };

  it("of a replacement leaves the old file and no other", async () => {
    const write = (watched: FaultyFileSystem) =>
      replaceFile(watched.fs, at("active/a.json"), bytes("n", "ew"), { root });
    const faults = await failEverywhere(fresh, write, code, async (failed, refusal) => {
      const isChanged = failed.startsWith("syncFolder");
      expect(await read("active/a.json"), failed).toBe(isChanged ? "new" : "old");
      expect(await namesIn("active"), failed).toEqual(["a.json"]);
      expect(refusal, failed).toMatchObject(
        isChanged
          ? {
              code: "UNAVAILABLE",
              message:
                'Cannot confirm "active/a.json": it was written, but the disk did not confirm the write',
            }
          : { code: errorCode, message: `Cannot write "active/a.json": ${why}` },
      );
    });
    expect(faults).toBe(9);
  });

  it("of a creation leaves no file or the whole one", async () => {
    const none = () => rm(at("active"), { recursive: true, force: true });
    const faults = await failEverywhere(none, create, code, async (failed, refusal) => {
      if (failed.startsWith("unlink")) {
        // The file exists and is kept. Only its second name remains, and the next cleanup removes this name.
        expect(refusal).toEqual({ returned: undefined });
        expect(await namesIn("active")).toHaveLength(2);
        return;
      }
      const left = await readdir(at("active")).catch(() => []);
      const isChanged = left.length > 0;
      expect(left, failed).toEqual(isChanged ? ["a.json"] : []);
      if (isChanged) expect(await read("active/a.json")).toBe("new");
      expect(refusal.code, failed).toBe(isChanged ? "UNAVAILABLE" : errorCode);
      expect(isChanged).toBe(failed === "syncFolder active");
    });
    expect(faults).toBe(10);
  });

  it("of a move leaves the file in one of the two places", async () => {
    const faults = await failEverywhere(fresh, move, code, async (failed, refusal) => {
      const places = [
        ...(await namesIn("active")),
        ...(await readdir(at("done")).catch(() => [])).map((name) => `done/${name}`),
      ];
      const isChanged = failed === "syncFolder done" || failed === "syncFolder active";
      expect(places, failed).toEqual([isChanged ? "done/a.json" : "a.json"]);
      expect(refusal, failed).toMatchObject(
        isChanged
          ? { code: "UNAVAILABLE" }
          : { code: errorCode, message: `Cannot move "active/a.json" to "done/a.json": ${why}` },
      );
    });
    expect(faults).toBe(7);
  });
});

describe("a crash at any call", () => {
  const moments = fc.constantFrom("before" as const, "halfway" as const, "after" as const);
  it("leaves the old content or the new, never a part", async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 16 }),
        moments,
        fc.option(fc.integer({ min: 1, max: 2_000 }), { nil: undefined }),
        async (crashAt, crash, maxWriteBytes) => {
          const before = "o".repeat(3_000);
          const after = "n".repeat(5_000);
          await writeFile(at("active/a.json"), before);
          const faults: Faults = { crashAt, crash, maxWriteBytes };
          const watched = new FaultyFileSystem(files, faults);
          const end = await replaceFile(
            watched.fs,
            at("active/a.json"),
            bytes(after.slice(0, 2_500), after.slice(2_500)),
            { root },
          ).catch((err: unknown) => err);
          const now = await read("active/a.json");
          expect([before, after].includes(now)).toBe(true);
          // If the write has returned, the file has the new content. Otherwise, the write ended with the crash.
          if (end === undefined) expect(now === after).toBe(true);
          else expect(end).toBeInstanceOf(Crash);
          seen.add(`${end === undefined ? "returned" : "died"}, ${now === after ? "new" : "old"}`);
          for (const name of await namesIn("active")) if (name !== "a.json") await rm(at(`active/${name}`));
        },
      ),
      { numRuns: 300 },
    );
    expect([...seen].sort()).toEqual(["died, new", "died, old", "returned, new"]);
  });

  it("of a creation leaves no file or the whole one, and of a move exactly one of two names", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 14 }), moments, async (crashAt, crash) => {
        await rm(at("active"), { recursive: true, force: true });
        await rm(at("done"), { recursive: true, force: true });
        await create(new FaultyFileSystem(files, { crashAt, crash })).catch(() => {});
        expect(["new", undefined]).toContain(await read("active/a.json").catch(() => undefined));
        await mkdir(at("active"), { recursive: true });
        await writeFile(at("active/a.json"), "old");
        await move(new FaultyFileSystem(files, { crashAt, crash })).catch(() => {});
        const places = await Promise.all(
          ["active/a.json", "done/a.json"].map((name) => read(name).catch(() => undefined)),
        );
        expect(places.filter((text) => text !== undefined)).toEqual(["old"]);
      }),
      { numRuns: 80 },
    );
  });
});

describe("refuses", () => {
  const write = (name: string) => () =>
    replaceFile(createWorkspaceFiles({ root: at("active") }), at(name), bytes("new"), { root: at("active") });

  it("the change when beforeRename throws", async () => {
    await writeFile(at("active/a.json"), "old");
    const lost = new Error("lost");
    const work = replaceFile(files, at("active/a.json"), bytes("new"), {
      beforeRename: () => Promise.reject(lost),
    });
    await expect(work).rejects.toBe(lost);
    expect([await read("active/a.json"), await namesIn("active")]).toEqual(["old", ["a.json"]]);
  });

  it("a name that is taken, by creation and by move", async () => {
    await writeFile(at("active/a.json"), "old");
    await writeFile(at("b.json"), "other");
    const watched = new FaultyFileSystem(files);
    expect(await refusalOf(() => create(watched))).toEqual({
      code: "DUPLICATE_ENTRY",
      message: 'Cannot create "active/a.json": a file of this name exists',
      remediation: "Choose another name, or move away the file that has it.",
      field: undefined,
    });
    expect(
      await refusalOf(() => moveFile(watched.fs, at("b.json"), at("active/a.json"), { root })),
    ).toMatchObject({
      code: "DUPLICATE_ENTRY",
      message: 'Cannot move "b.json" to "active/a.json": a file of this name exists',
    });
    expect([await read("active/a.json"), await read("b.json")]).toEqual(["old", "other"]);
  });

  it("a name that another process takes at the last moment", async () => {
    const work = createFile(files, at("active/a.json"), bytes("new"), {
      root,
      beforeRename: () => writeFile(at("active/a.json"), "theirs"),
    });
    await expect(work).rejects.toMatchObject({ code: "DUPLICATE_ENTRY" });
    expect([await read("active/a.json"), await namesIn("active")]).toEqual(["theirs", ["a.json"]]);
  });

  it("a folder instead of the file, a file instead of the folder, and a missing folder", async () => {
    await mkdir(at("active/a.json"));
    await writeFile(at("plain"), "x");
    expect(await refusalOf(write("active/a.json"))).toMatchObject({
      code: "INVALID_PATH",
      message: 'Cannot write "a.json": it is a folder',
    });
    const below = replaceFile(files, at("plain/a.json"), bytes("new"), { root });
    await expect(below).rejects.toMatchObject({ code: "INVALID_PATH" });
    const nowhere = replaceFile(files, at("none/a.json"), bytes("new"), { root });
    await expect(nowhere).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("a link that leads out of the root, in a cycle or nowhere, and the move of any link", async () => {
    await writeFile(at("outside.json"), "old");
    await writeFile(at("active/inside.json"), "old");
    await symlink(at("outside.json"), at("active/out.json"));
    await symlink("none.json", at("active/nowhere.json"));
    await symlink("round.json", at("active/round.json"));
    await symlink(root, at("active/up"));
    await symlink("inside.json", at("active/in.json"));
    const outside = {
      code: "INVALID_PATH",
      remediation: "Replace the link by the file itself, or point it to a file within the same folder.",
      field: undefined,
    };
    const because = (name: string, why: string) => ({
      ...outside,
      message: `Cannot write "${name}": ${why}`,
    });
    const leadsOut = "a link leads out of the folder";
    expect(await refusalOf(write("active/out.json"))).toEqual(because("out.json", leadsOut));
    expect(await refusalOf(write("active/up/new.json"))).toEqual(because("up/new.json", leadsOut));
    expect(await refusalOf(write("active/nowhere.json"))).toEqual(
      because("nowhere.json", "it is a broken link"),
    );
    expect(await refusalOf(write("active/round.json"))).toMatchObject({ code: "INVALID_PATH" });
    const moved = moveFile(files, at("active/in.json"), at("done/in.json"), { root });
    await expect(moved).rejects.toMatchObject({ code: "INVALID_PATH" });
    expect(await read("outside.json")).toBe("old");
  });

  // Root may write every file.
  const isRoot = process.getuid?.() === 0;
  it.skipIf(isRoot || process.platform === "win32")("a write-protected file", async () => {
    await writeFile(at("active/a.json"), "old", { mode: 0o444 });
    expect(await refusalOf(write("active/a.json"))).toMatchObject({
      code: "FORBIDDEN",
      message: 'Cannot write "a.json": permission is denied',
    });
    await chmod(at("active"), 0o555);
    expect(await refusalOf(write("active/b.json"))).toMatchObject({ code: "FORBIDDEN" });
    await chmod(at("active"), 0o755);
  });
});

describe("supports", () => {
  it("a link within the folder: its target is written and it stays a link", async () => {
    await writeFile(at("real.json"), "old", { mode: 0o600 });
    await symlink("../real.json", at("active/a.json"));
    await replaceFile(files, at("active/a.json"), bytes("new"), { root });
    expect(await read("real.json")).toBe("new");
    expect((await stat(at("real.json"))).mode & 0o777).toBe(0o600);
    expect((await readdir(at("active"), { withFileTypes: true }))[0]?.isSymbolicLink()).toBe(true);
  });

  it("a root that is itself a link", async () => {
    await symlink(root, `${root}-link`);
    try {
      const path = join(`${root}-link`, "active", "a.json");
      const linked = createWorkspaceFiles({ root: `${root}-link` });
      await replaceFile(linked, path, bytes("new"), { root: `${root}-link` });
      expect(await read("active/a.json")).toBe("new");
    } finally {
      await rm(`${root}-link`);
    }
  });

  it("a file system without hard links, by a rename", async () => {
    const link = () => Promise.reject(Object.assign(new Error("no links"), { code: "ENOTSUP" }));
    await createFile({ ...files, link }, at("active/a.json"), bytes("new"), { root });
    expect([await read("active/a.json"), await namesIn("active")]).toEqual(["new", ["a.json"]]);
  });

  it("names of the maximum length", async () => {
    const name = `active/${"語".repeat(83)}.json`.slice(0, 90);
    await createFile(files, at(name), bytes("old"), { root });
    await replaceFile(files, at(name), bytes("new"), { root });
    expect(await read(name)).toBe("new");
  });
});
