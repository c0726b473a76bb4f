import { spawnSync } from "node:child_process";
import { chmod, link, mkdir, mkdtemp, realpath, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ReadFileOptions, readLocalFile } from "./read-local-file.ts";
import { maxDocumentBytes, UnusableDocument } from "./unusable-document.ts";

let base: string;
let folder: string;
beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "read-file-")));
  folder = join(base, "inside");
  await mkdir(join(folder, "sub"), { recursive: true });
  await writeFile(join(folder, "a.txt"), "inside");
  await writeFile(join(folder, "sub", "b.txt"), "deep inside");
  await writeFile(join(base, "secret.txt"), "outside");
});
afterAll(() => rm(base, { recursive: true, force: true }));

const read = async (path: string, own: Partial<ReadFileOptions> = {}) => {
  const { bytes, ...rest } = await readLocalFile(path, { folder, isConfined: true, ...own });
  return { ...rest, text: Buffer.from(bytes).toString() };
};

async function failureOf(path: string, own: Partial<ReadFileOptions> = {}) {
  const err = await read(path, own).catch((thrown: unknown) => thrown);
  if (!(err instanceof UnusableDocument)) throw err;
  expect(err.message).not.toContain(base);
  return [err.reason, err.message];
}

const outside = ["forbidden", "It is outside the folder whose files may be read"];
const missing = ["not_found", "There is no such file"];
const noFile = ["not_file", "It is not a regular file, but a pipe, a socket or a device"];

describe("readLocalFile", () => {
  test("reads a file by its relative or absolute path", async () => {
    expect(await read("a.txt")).toEqual({ name: "a.txt", text: "inside" });
    expect(await read("sub/../sub/b.txt")).toEqual({ name: "sub/../sub/b.txt", text: "deep inside" });
    expect(await read(join(folder, "a.txt"))).toEqual({ name: join(folder, "a.txt"), text: "inside" });
  });

  test("reads any file where access is not confined", async () => {
    const own = { isConfined: false };
    expect((await read("../secret.txt", own)).text).toBe("outside");
    expect((await read(join(base, "secret.txt"), own)).text).toBe("outside");
    await symlink(join(base, "secret.txt"), join(folder, "way-out.txt"));
    expect((await read("way-out.txt", own)).text).toBe("outside");
  });

  test("returns bytes that can be transferred to a worker", async () => {
    const { bytes } = await readLocalFile("a.txt", { folder, isConfined: true });
    expect(bytes.buffer.byteLength).toBe(6);
  });

  test("refuses paths outside the folder", async () => {
    expect(await failureOf("../secret.txt")).toEqual(outside);
    expect(await failureOf("../not-there.txt")).toEqual(outside);
    expect(await failureOf("sub/../../secret.txt")).toEqual(outside);
    expect(await failureOf(join(base, "secret.txt"))).toEqual(outside);
    expect(await failureOf("/etc/passwd")).toEqual(outside);
    expect(await failureOf(`${folder}-beside/x`)).toEqual(outside);
    expect(await failureOf("..")).toEqual(outside);
  });

  test("refuses links that lead outside, and follows links within the folder", async () => {
    await symlink(join(base, "secret.txt"), join(folder, "link.txt"));
    await symlink("..", join(folder, "up"));
    await symlink("sub", join(folder, "down"));
    await symlink("sub/b.txt", join(folder, "c.txt"));
    expect(await failureOf("link.txt")).toEqual(outside);
    expect(await failureOf("up/secret.txt")).toEqual(outside);
    expect((await read("down/b.txt")).text).toBe("deep inside");
    expect((await read("c.txt")).text).toBe("deep inside");
  });

  test("accepts a folder that is itself a link", async () => {
    const alias = join(base, "alias");
    await symlink(folder, alias);
    expect((await read("a.txt", { folder: alias })).text).toBe("inside");
    expect((await read(join(alias, "a.txt"), { folder: alias })).text).toBe("inside");
    expect((await read(join(folder, "a.txt"), { folder: alias })).text).toBe("inside");
    expect(await failureOf("../secret.txt", { folder: alias })).toEqual(outside);
  });

  test("reports a missing file", async () => {
    expect(await failureOf("not-there.txt")).toEqual(missing);
    expect(await failureOf("a.txt/b")).toEqual(missing);
    expect(await failureOf("")).toEqual(["is_folder", "It is a folder"]);
    expect(await failureOf("sub")).toEqual(["is_folder", "It is a folder"]);
    for (const isConfined of [true, false]) {
      expect(await failureOf("a\0.txt", { isConfined })).toEqual([
        "not_found",
        "There is no such file: its name contains a NUL character",
      ]);
      expect(await failureOf("x".repeat(300), { isConfined })).toEqual([
        "not_found",
        "There is no such file: its name is too long",
      ]);
      expect((await failureOf("x/".repeat(100_000), { isConfined }))[0]).toBe("not_found");
    }
    await symlink("round.txt", join(folder, "round.txt"));
    expect(await failureOf("round.txt")).toEqual([
      "not_found",
      "There is no such file: its links form a cycle",
    ]);
    await symlink("nowhere", join(folder, "dangling.txt"));
    expect(await failureOf("dangling.txt")).toEqual(missing);
    expect(await failureOf("a.txt", { folder: join(base, "no-folder") })).toEqual(missing);
  });

  test("refuses a file that is too large before reading it", async () => {
    await writeFile(join(folder, "huge.txt"), "");
    await truncate(join(folder, "huge.txt"), 200 * 2 ** 20);
    expect(maxDocumentBytes).toBe(67_108_864);
    expect(await failureOf("huge.txt")).toEqual(["too_large", "It has more than 67,108,864 bytes"]);
    expect((await read("a.txt", { maxBytes: 6 })).text).toBe("inside");
    expect(await failureOf("a.txt", { maxBytes: 5 })).toEqual(["too_large", "It has more than 5 bytes"]);
    await writeFile(join(folder, "empty.txt"), "");
    expect((await read("empty.txt")).text).toBe("");
  });

  test.runIf(process.platform === "linux")(
    "reads a file that has grown since its stat, up to the maximum",
    async () => {
      // Files of /proc report the size 0.
      const own = { folder: "/proc", isConfined: false };
      const { text } = await read("self/limits", own);
      expect(text).toMatch(/^Limit .*Max realtime timeout.*\n$/s);
      expect((await read("self/limits", { ...own, maxBytes: text.length })).text).toBe(text);
      expect(await failureOf("self/limits", { ...own, maxBytes: 10 })).toEqual([
        "too_large",
        "It has more than 10 bytes",
      ]);
    },
  );

  test.runIf(process.platform === "linux")("does not block on a pipe or device", async () => {
    expect(spawnSync("mkfifo", [join(folder, "pipe.txt")]).status).toBe(0);
    expect(await failureOf("pipe.txt")).toEqual(noFile);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(folder, "socket.txt"), resolve));
    expect(await failureOf("socket.txt")).toEqual(noFile);
    await new Promise((resolve) => server.close(resolve));
    for (const device of ["/dev/zero", "/dev/null", "/dev/tty"])
      expect(await failureOf(device, { isConfined: false })).toEqual(noFile);
    expect(await failureOf("/dev/zero")).toEqual(outside);
  });

  test("reads one file under two names", async () => {
    await link(join(folder, "a.txt"), join(folder, "hard.txt"));
    expect((await read("hard.txt")).text).toBe("inside");
  });

  test("stops when aborted", async () => {
    const reason = new Error("enough");
    await expect(read("a.txt", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

/** Permissions do not apply to root, so these tests run as another user. */
describe.runIf(process.platform === "linux")("without read permission", () => {
  test("a file is forbidden", async () => {
    await chmod(base, 0o755);
    await writeFile(join(folder, "locked.txt"), "locked");
    await chmod(join(folder, "locked.txt"), 0);
    const user = process.geteuid?.();
    try {
      if (user === 0) process.seteuid?.(65_534);
      const denied = ["forbidden", "The permission to read it is missing"];
      expect(await failureOf("locked.txt")).toEqual(denied);
      expect(await failureOf("locked.txt", { isConfined: false })).toEqual(denied);
    } finally {
      if (user === 0) process.seteuid?.(0);
    }
  });
});
