import { spawnSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { remediationOf } from "./document-failures.ts";
import { typesByExtension } from "./document-types.ts";
import { type ListOptions, listDocuments } from "./list-documents.ts";

/** A hook that runs after a folder was read. */
const after = vi.hoisted(() => ({ readdir: async (): Promise<void> => {} }));
vi.mock("@foundry-mcp/toolkit/files", async (original) => {
  const actual = await original<typeof import("@foundry-mcp/toolkit/files")>();
  const createFileTree: typeof actual.createFileTree = (options) => {
    const tree = actual.createFileTree(options);
    const list: typeof tree.list = async (path) => {
      const entries = await tree.list(path);
      await after.readdir();
      return entries;
    };
    return { ...tree, list };
  };
  return { ...actual, createFileTree };
});

let base: string;
let folder: string;
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "list-")));
  folder = join(base, "work");
  await mkdir(folder);
});
afterEach(() => rm(base, { recursive: true, force: true }));

async function write(...paths: readonly string[]) {
  for (const path of paths) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), "text");
  }
}

const list = (path = ".", own: Partial<ListOptions> = {}) =>
  listDocuments(path, { folder, isConfined: true, ...own });
const none = { documents: [], others: [], problems: [], rest: 0 };

describe("listDocuments", () => {
  test("lists documents by extension, in subfolders too, sorted by code units", async () => {
    await write(
      "b.md",
      "a/z.txt",
      "a.md",
      "B.HTML",
      "a/b/c.pdf",
      "é.txt",
      "a-b/x.txt",
      "notes",
      "x.py",
      "a/y.json",
    );
    expect(await list()).toEqual({
      documents: ["B.HTML", "a-b/x.txt", "a.md", "a/b/c.pdf", "a/z.txt", "b.md", "é.txt"],
      others: ["a/y.json", "notes", "x.py"],
      problems: [],
      rest: 0,
    });
  });

  test("knows these extensions", async () => {
    expect(Object.keys(typesByExtension).toSorted()).toEqual(
      "adoc htm html markdown md mdx org pdf rst text txt xhtml".split(" "),
    );
    const names = Object.keys(typesByExtension).map((ending) => `x.${ending}`);
    await write(...names, "x.docx", "x.constructor", "xtxt", "txt");
    expect(await list()).toEqual({
      ...none,
      documents: names.toSorted(),
      others: ["txt", "x.constructor", "x.docx", "xtxt"],
    });
  });

  test("returns paths that can be read", async () => {
    await write("docs/a.md", "docs/in/b.md");
    const documents = ["docs/a.md", "docs/in/b.md"];
    expect(await list("docs")).toEqual({ ...none, documents });
    expect(await list("./docs/")).toEqual({ ...none, documents });
    expect(await list("docs/in/..")).toEqual({ ...none, documents });
    expect(await list(join(folder, "docs"))).toEqual({
      ...none,
      documents: documents.map((path) => join(folder, path)),
    });
    expect(await list("../work/docs", { isConfined: false })).toEqual({
      ...none,
      documents: ["../work/docs/a.md", "../work/docs/in/b.md"],
    });
  });

  test("does not enter hidden folders and node_modules, and reports them", async () => {
    await write(
      ".git/a.md",
      "node_modules/x/b.md",
      "in/node_modules/c.md",
      "in/.hidden/d.md",
      ".e.md",
      "f.md",
    );
    expect(await list()).toEqual({
      ...none,
      documents: ["f.md"],
      others: [".e.md", ".git/", "in/.hidden/", "in/node_modules/", "node_modules/"],
    });
    expect(await list(".git")).toEqual({ ...none, documents: [".git/a.md"] });
  });

  test("does not follow links to folders, and those to files only within the folder", async () => {
    await write("in/a.md");
    await writeFile(join(base, "out.md"), "text");
    await symlink("in", join(folder, "folder"));
    await symlink("..", join(folder, "in", "up.md"));
    await symlink("in/a.md", join(folder, "b.md"));
    await symlink("in/a.md", join(folder, "b.bin"));
    await symlink("../out.md", join(folder, "c.md"));
    await symlink("nowhere", join(folder, "d.md"));
    const gone = {
      name: "d.md",
      reason: "not_found",
      error: "There is no such file",
      remediation: remediationOf("not_found"),
    };
    const listing = { ...none, documents: ["b.md", "in/a.md"], others: ["b.bin", "folder", "in/up.md/"] };
    expect(await list()).toEqual({
      ...listing,
      others: listing.others,
      problems: [
        {
          name: "c.md",
          reason: "forbidden",
          error: "A link leads out of the folder whose files may be read",
          remediation: remediationOf("forbidden"),
        },
        gone,
      ],
    });
    expect(await list(".", { isConfined: false })).toEqual({
      ...listing,
      documents: ["b.md", "c.md", "in/a.md"],
      problems: [gone],
    });
  });

  test("does not follow a folder that was replaced by a link", async () => {
    await write("in/a.md");
    await mkdir(join(base, "out"));
    await writeFile(join(base, "out", "secret.md"), "text");
    after.readdir = async () => {
      after.readdir = async () => {};
      await rm(join(folder, "in"), { recursive: true });
      await symlink(join(base, "out"), join(folder, "in"));
    };
    expect(await list()).toEqual({
      ...none,
      problems: [
        {
          name: "in",
          reason: "forbidden",
          error: "A link leads out of the folder whose files may be read",
          remediation: remediationOf("forbidden"),
        },
      ],
    });
  });

  test("lists up to the maximum, and reports the rest", async () => {
    await write(...Array.from({ length: 12 }, (_, at) => `${String.fromCharCode(108 - at)}.md`));
    expect(await list(".", { maxDocuments: 10 })).toEqual({
      documents: [..."abcdefghij"].map((name) => `${name}.md`),
      others: [],
      problems: [
        {
          name: ".",
          reason: "too_many",
          error: "It holds 2 documents more than 10",
          remediation: "Name smaller folders.",
        },
      ],
      rest: 2,
    });
    expect(await list(".", { maxDocuments: 12 })).toMatchObject({ problems: [], rest: 0 });
  });

  test("reads up to the maximum of entries, and reports the folders that it skipped", async () => {
    await write("a/1.md", "a/2.md", "b/3.md", "c/4.md");
    const unseen = (name: string) => ({
      name,
      reason: "too_many",
      error: "It was not looked at: there are more than 5 entries",
      remediation: "Name smaller folders.",
    });
    expect(await list(".", { maxEntries: 5 })).toEqual({
      ...none,
      documents: ["a/1.md", "a/2.md"],
      problems: [unseen("b"), unseen("c")],
    });
  });

  test("returns undefined for a file, a missing path, and a path outside", async () => {
    await write("a.md");
    await symlink(base, join(folder, "out"));
    for (const path of ["a.md", "nowhere", "..", "out", base, "/", "a\0b", "x".repeat(5_000)])
      expect(await list(path), path.slice(0, 20)).toBeUndefined();
    expect(await list(".", { folder: join(base, "nowhere") })).toBeUndefined();
  });

  test("stops when aborted", async () => {
    const reason = new Error("enough");
    await expect(list(".", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test("lists many and deeply nested folders", async () => {
    const deep = Array.from({ length: 100 }, () => "d").join("/");
    await write(`${deep}/x.md`, ...Array.from({ length: 300 }, (_, at) => `w${at}/y.md`));
    expect((await list())?.documents.length).toBe(301);
  });
});

describe.runIf(process.platform === "linux")("an unreadable entry", () => {
  test("is reported, and the rest is listed", async () => {
    await write("a/x.md", "b/y.md");
    await chmod(base, 0o755);
    await chmod(join(folder, "a"), 0);
    const user = process.geteuid?.();
    try {
      // Permissions do not apply to root, so this code runs as another user.
      if (user === 0) process.seteuid?.(65_534);
      const locked = {
        reason: "forbidden",
        error: "The permission to read it is missing",
        remediation: remediationOf("forbidden"),
      };
      expect(await list()).toEqual({ ...none, documents: ["b/y.md"], problems: [{ name: "a", ...locked }] });
      expect(await list("a")).toEqual({ ...none, problems: [{ name: "a", ...locked }] });
    } finally {
      if (user === 0) process.seteuid?.(0);
      await chmod(join(folder, "a"), 0o755);
    }
  });

  test("is no document if it is a pipe", async () => {
    expect(spawnSync("mkfifo", [join(folder, "pipe.md")]).status).toBe(0);
    expect(await list()).toEqual({ ...none, others: ["pipe.md"] });
  });
});
