import { execFileSync } from "node:child_process";
import {
  appendFile,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isContractError } from "@foundry-mcp/contract";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FileCalls } from "./file-calls.ts";
import type { FileSystem } from "./file-system.ts";
import { createWorkspaceFiles, readRegularFile } from "./workspace-files.ts";

const posix = process.platform !== "win32";
const max = 1_000;

/**
 * Returns code, message and remediation of a ContractError, the code of a system error, or `returned` for a call that
 * succeeds.
 */
const outcomeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (returned) => ({ returned }),
    (err: unknown) =>
      isContractError(err)
        ? { code: err.code, message: err.message, remediation: err.options.remediation }
        : { system: (err as NodeJS.ErrnoException).code },
  );

/** Tests the behavior of guarded files with any implementation of the system calls. */
export function describeWorkspaceFiles(name: string, calls: FileCalls): void {
  describe(`createWorkspaceFiles over ${name}`, () => {
    let folder: string;
    let files: FileSystem;
    const at = (path: string) => join(folder, "specs", path);
    const outside = (path = "") => join(folder, "outside", path);
    const text = (path: string) => readFile(path, "utf8");

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), "workspace-files-"));
      await mkdir(at(".foundry/state"), { recursive: true });
      await mkdir(at("active"));
      await mkdir(outside());
      await writeFile(outside("secret.txt"), "secret");
      files = createWorkspaceFiles({
        root: join(folder, "specs"),
        privateFolder: ".foundry",
        removable: [/\.foundry\/state\/[a-z]+\.json/],
        calls,
      });
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    /** Returns the outcome of every operation on one file. */
    const tryAll = async (path: string) => {
      const bytes = Buffer.from("x");
      return {
        readFile: await outcomeOf(files.readFile(path, max)),
        append: await outcomeOf(files.append(path, bytes)),
        writeAt: await outcomeOf(files.writeAt(path, 0, bytes)),
        truncate: await outcomeOf(files.truncate(path, 0)),
        touch: await outcomeOf(files.touch(path)),
        resolve: await outcomeOf(files.resolve(path)),
        link: await outcomeOf(files.link(path, at(".foundry/state/linked.json"))),
        rename: await outcomeOf(files.rename(path, at(".foundry/state/moved.json"))),
      };
    };
    const refusedAll = (verbs: Record<string, string>, why: string, remediation: string, target: string) =>
      Object.fromEntries(
        Object.entries(verbs).map(([operation, verb]) => [
          operation,
          { code: "INVALID_PATH", message: `Cannot ${verb} "${target}": ${why}`, remediation },
        ]),
      );
    const verbs = {
      readFile: "read",
      append: "write",
      writeAt: "write",
      truncate: "write",
      touch: "write",
      resolve: "write",
      link: "link",
      rename: "move",
    };

    it("creates, reads, appends, overwrites, cuts off, links, renames and removes files", async () => {
      expect(await files.mkdir(at("new/er"))).toBe(at("new"));
      expect(await files.mkdir(at("new/er"))).toBeUndefined();
      const path = at(".foundry/state/a.json");
      const file = await files.create(path, 0o640);
      await file.writev([Buffer.from("on"), Buffer.from("e")]);
      await file.sync();
      await file.close();
      expect(await outcomeOf(files.create(path))).toEqual({ system: "EEXIST" });
      expect((await files.append(path, Buffer.from(" two"), { sync: true })).size).toBe(7);
      await files.writeAt(path, 0, Buffer.from("O"));
      const { bytes, stat, isStable } = await files.readFile(path, max);
      expect([bytes.toString(), stat.size, stat.mode & 0o777, isStable]).toEqual(["One two", 7, 0o640, true]);
      await files.truncate(path, 3);
      await files.touch(path);
      await files.link(path, at(".foundry/state/b.json"));
      await files.rename(path, at(".foundry/state/c.json"));
      expect((await files.readdir(at(".foundry/state"))).toSorted()).toEqual(["b.json", "c.json"]);
      expect([await text(at(".foundry/state/b.json")), await text(at(".foundry/state/c.json"))]).toEqual([
        "One",
        "One",
      ]);
      await files.unlink(at(".foundry/state/b.json"));
      await files.syncFolder(at(".foundry/state"));
      expect(await files.readdir(at(".foundry/state"))).toEqual(["c.json"]);
      expect((await files.append(at("active/new.json"), Buffer.from("1"))).size).toBe(1);
    });

    it("lists a folder whose names do not fit into one batch, up to the limit of the caller", async () => {
      const names = Array.from({ length: 1_300 }, (_, index) => `n${String(index).padStart(4, "0")}`);
      for (const name of names) await files.mkdir(at(`active/many/${name}`));
      expect((await files.readdir(at("active/many"))).toSorted()).toEqual(names);
      expect(await files.readdir(at("active/many"), 1_300)).toHaveLength(1_300);
      expect(await outcomeOf(files.readdir(at("active/many"), 1_299))).toMatchObject({
        code: "CONTENT_TOO_LARGE",
      });
    });

    it("reports a missing file or folder as the system does", async () => {
      const missing = { system: "ENOENT" };
      for (const path of [at("none.json"), at("none/a.json"), at(".foundry/none/a.json")])
        expect([
          await outcomeOf(files.readFile(path, max)),
          await outcomeOf(files.writeAt(path, 0, Buffer.from("x"))),
          await outcomeOf(files.rename(path, at("b.json"))),
          await outcomeOf(files.readdir(path)),
        ]).toEqual(Array(4).fill(missing));
      expect(await outcomeOf(files.unlink(at(".foundry/state/none.json")))).toEqual(missing);
    });

    it("creates a root that is missing, and works in one that is a link", async () => {
      const made = createWorkspaceFiles({ root: join(folder, "x/y"), privateFolder: ".", calls });
      expect(await made.mkdir(join(folder, "x/y/z"))).toBe(join(folder, "x"));
      await symlink(join(folder, "x/y"), join(folder, "linked"));
      const linked = createWorkspaceFiles({ root: join(folder, "linked"), privateFolder: ".", calls });
      await linked.append(join(folder, "linked/z/a"), Buffer.from("1"));
      expect(await text(join(folder, "x/y/z/a"))).toBe("1");
      // The user changes the target of the link that the root is.
      await rm(join(folder, "linked"));
      await mkdir(join(folder, "other/z"), { recursive: true });
      await symlink(join(folder, "other"), join(folder, "linked"));
      await linked.append(join(folder, "linked/z/a"), Buffer.from("2"));
      expect([await text(join(folder, "other/z/a")), await text(join(folder, "x/y/z/a"))]).toEqual([
        "2",
        "1",
      ]);
    });

    it("refuses paths that are not below the root", async () => {
      const refused = (verb: string) => ({
        code: "INVALID_PATH",
        message: `Cannot ${verb} "../outside/secret.txt": it is outside of the folder`,
        remediation: "Pass a path inside the workspace.",
      });
      expect(await tryAll(at("../outside/secret.txt"))).toEqual(
        Object.fromEntries(Object.entries(verbs).map(([operation, verb]) => [operation, refused(verb)])),
      );
      const path = outside("secret.txt");
      expect(await outcomeOf(files.unlink(path))).toEqual(refused("remove"));
      expect(await outcomeOf(files.create(path))).toEqual(refused("write"));
      expect(await outcomeOf(files.stat(path))).toEqual(refused("read"));
      expect(await outcomeOf(files.rename(at("active/x"), path))).toEqual(refused("write"));
      expect(await readdir(outside())).toEqual(["secret.txt"]);
    });

    it.runIf(posix)("follows no link as a file of the private folder, wherever it leads", async () => {
      await writeFile(at(".foundry/inside.json"), "inside");
      const target = ".foundry/state/a.json";
      for (const to of [
        outside("secret.txt"),
        outside("none.txt"),
        "../inside.json",
        "a.json",
        "/dev/zero",
      ]) {
        await rm(at(target), { force: true });
        await symlink(to, at(target));
        const remedy = 'Remove the link ".foundry/state/a.json": it is created again when needed.';
        expect(await tryAll(at(target)), to).toEqual(
          refusedAll(verbs, "it is a symbolic link", remedy, target),
        );
        expect(await outcomeOf(files.create(at(target))), to).toEqual({ system: "EEXIST" });
      }
      // A rename replaces the link and leaves its target unchanged.
      await symlink(outside("secret.txt"), at(".foundry/state/b.json"));
      await (await files.create(at(".foundry/state/new.json"))).close();
      await files.rename(at(".foundry/state/new.json"), at(".foundry/state/b.json"));
      expect(await readdir(outside())).toEqual(["secret.txt"]);
      expect([await text(outside("secret.txt")), await text(at(".foundry/inside.json"))]).toEqual([
        "secret",
        "inside",
      ]);
    });

    it.runIf(posix)("follows no link as a folder on the way to a private file", async () => {
      await rm(at(".foundry"), { recursive: true });
      const cases = [
        [".foundry", outside()],
        [".foundry/state", outside()],
        [".foundry/state", "../active"],
        [".foundry/state", outside("none")],
      ] as const;
      for (const [link, to] of cases) {
        await rm(at(".foundry"), { recursive: true, force: true });
        if (link !== ".foundry") await mkdir(at(".foundry"));
        await symlink(to, at(link));
        const target = ".foundry/state/a.json";
        const why = `"${link}" is a symbolic link`;
        const remedy = `Remove the link "${link}": it is created again when needed.`;
        const refused = (verb: string, file = target) => ({
          code: "INVALID_PATH",
          message: `Cannot ${verb} "${file}": ${file === link ? "it is a symbolic link" : why}`,
          remediation: remedy,
        });
        if (link === ".foundry") {
          // The target of the link has no such folder yet.
          await mkdir(outside("state"), { recursive: true });
          await writeFile(outside("state/a.json"), "1");
        }
        expect(await outcomeOf(files.readFile(at(target), max)), to).toEqual(refused("read"));
        expect(await outcomeOf(files.append(at(target), Buffer.from("x"))), to).toEqual(refused("write"));
        expect(await outcomeOf(files.create(at(target))), to).toEqual(refused("write"));
        expect(await outcomeOf(files.unlink(at(target))), to).toEqual(refused("remove"));
        expect(await outcomeOf(files.readdir(at(".foundry/state"))), to).toEqual(
          refused("list", ".foundry/state"),
        );
        expect(await outcomeOf(files.mkdir(at(".foundry/state"))), to).toEqual(
          refused("create", ".foundry/state"),
        );
        // Check that the remedy works.
        await rm(at(link));
        await files.mkdir(at(".foundry/state"));
        await files.append(at(target), Buffer.from("x"));
        expect(await text(at(target))).toBe("x");
      }
      expect(await text(outside("secret.txt"))).toBe("secret");
    });

    it.runIf(posix)(
      "follows a link outside of the private folder if it leads to a public place inside",
      async () => {
        await writeFile(at("active/a.json"), "inside");
        await writeFile(at(".foundry/state/a.json"), "{}");
        await symlink("a.json", at("active/in.json"));
        await symlink("active", at("status"));
        const { bytes, stat } = await files.readFile(at("status/in.json"), max);
        expect([bytes.toString(), stat.isFile()]).toEqual(["inside", true]);
        expect(await files.resolve(at("status/in.json"))).toMatchObject({
          path: at("active/a.json"),
          isLink: true,
        });
        expect(await files.resolve(at("status/a.json"))).toMatchObject({
          path: at("active/a.json"),
          isLink: false,
        });
        const leads = [outside("secret.txt"), at(".foundry/state/a.json"), "/dev/zero", "/etc/hostname"];
        for (const to of leads) {
          await rm(at("active/out.json"), { force: true });
          await symlink(to, at("active/out.json"));
          expect(await tryAll(at("active/out.json")), to).toEqual(
            refusedAll(
              verbs,
              "a link leads out of the folder",
              "Replace the link by the file itself, or point it to a file within the same folder.",
              "active/out.json",
            ),
          );
        }
        await symlink(outside(), at("away"));
        await symlink(".foundry", at("own"));
        for (const name of ["away", "own"])
          expect([
            await outcomeOf(files.create(at(`${name}/new.json`))),
            await outcomeOf(files.readdir(at(name))),
            await outcomeOf(files.mkdir(at(`${name}/deep/er`))),
          ]).toEqual(Array(3).fill(expect.objectContaining({ code: "INVALID_PATH" })));
        expect(await readdir(outside())).toEqual(["secret.txt"]);
      },
    );

    it.runIf(posix)("takes regular files only, and waits for nothing", async () => {
      execFileSync("mkfifo", [at("active/pipe"), at(".foundry/state/pipe")]);
      await mkdir(at("active/folder"));
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(join(folder, "specs/active/socket"), resolve));
      try {
        for (const [path, kind] of [
          ["active/pipe", "named pipe"],
          [".foundry/state/pipe", "named pipe"],
          ["active/socket", "socket"],
          ["active/folder", "folder"],
        ] as const) {
          const remedy = path.startsWith(".foundry")
            ? `Remove the ${kind} "${path}": it is created again when needed.`
            : "Put a regular file in regular folders at this path, then try again.";
          expect(await tryAll(at(path)), path).toEqual(refusedAll(verbs, `it is a ${kind}`, remedy, path));
        }
        expect(await outcomeOf(files.readdir(at("active/pipe")))).toEqual({ system: "ENOTDIR" });
        expect(await outcomeOf(files.syncFolder(at("active/pipe")))).toEqual({ system: "ENOTDIR" });
        expect(await outcomeOf(readRegularFile(at("active/pipe"), max, calls))).toMatchObject({
          code: "INVALID_PATH",
        });
      } finally {
        await new Promise((resolve) => server.close(resolve));
      }
      // A pipe that has a reader can be opened for writing.
      const reader = await open(at("active/pipe"), "r+");
      expect(await outcomeOf(files.append(at("active/pipe"), Buffer.from("x")))).toMatchObject({
        code: "INVALID_PATH",
      });
      await reader.close();
    });

    it("reads no more than it is told, before and while it reads", async () => {
      const path = at(".foundry/state/a.json");
      const sparse = await open(path, "w");
      await sparse.truncate(2 ** 40);
      await sparse.close();
      expect(await outcomeOf(files.readFile(path, max))).toEqual({
        code: "CONTENT_TOO_LARGE",
        message: 'Cannot read ".foundry/state/a.json": it has 1,099,511,627,776 bytes, more than 1,000',
        remediation: 'Remove the file ".foundry/state/a.json": it is created again when needed.',
      });
      await writeFile(at("active/a.json"), "x".repeat(max));
      expect((await files.readFile(at("active/a.json"), max)).bytes.length).toBe(max);
      const growing: FileCalls = {
        ...calls,
        async read(file, buffer, offset) {
          await appendFile(at("active/a.json"), "y".repeat(10_000));
          return calls.read(file, buffer, offset);
        },
      };
      const watched = createWorkspaceFiles({ root: join(folder, "specs"), calls: growing });
      expect(await outcomeOf(watched.readFile(at("active/a.json"), 5_000))).toMatchObject({
        code: "CONTENT_TOO_LARGE",
      });
      const grown = await watched.readFile(at("active/a.json"), 1_000_000);
      expect([grown.bytes.length > max, grown.isStable]).toEqual([true, false]);
      await Promise.all(Array.from({ length: 12 }, (_, index) => writeFile(at(`active/${index}.json`), "")));
      expect(await outcomeOf(files.readdir(at("active"), 12))).toEqual({
        code: "CONTENT_TOO_LARGE",
        message: 'Cannot list "active": it holds more than 12 files',
        remediation: "Move files out of the folder, then try again.",
      });
      expect(await files.readdir(at("active"), 13)).toHaveLength(13);
    });

    it("removes names that this program creates, and no others", async () => {
      const temporary = ".a.json.01234567-12-0123456789abcdef.tmp";
      const ours = [`active/${temporary}`, ".foundry/state/a.json"];
      const theirs = [
        "active/a.json",
        ".foundry/state/a.txt",
        ".foundry/state/a.json.bak",
        ".foundry/a.json",
        "active/.a.json.tmp",
      ];
      for (const name of [...ours, ...theirs]) await writeFile(at(name), "");
      for (const name of ours) await files.unlink(at(name));
      for (const name of theirs) {
        expect(await outcomeOf(files.unlink(at(name)))).toEqual({
          code: "INVALID_PATH",
          message: `Cannot remove "${name}": only files that Foundry creates are removed`,
          remediation: "Remove the file yourself.",
        });
        expect(await outcomeOf(files.rmdir(at(name)))).toMatchObject({ code: "INVALID_PATH" });
        expect(await text(at(name))).toBe("");
      }
    });

    it.runIf(posix)("reads a file that a person named through links, with the same limits", async () => {
      await symlink(outside("secret.txt"), join(folder, "named"));
      const { bytes, isStable } = await readRegularFile(join(folder, "named"), max, calls);
      expect([bytes.toString(), isStable]).toEqual(["secret", true]);
      expect(await outcomeOf(readRegularFile(join(folder, "named"), 3, calls))).toMatchObject({
        code: "CONTENT_TOO_LARGE",
      });
      expect(await outcomeOf(readRegularFile("/dev/zero", max, calls))).toMatchObject({
        code: "INVALID_PATH",
      });
    });
  });
}
