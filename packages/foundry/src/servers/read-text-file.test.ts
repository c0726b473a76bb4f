import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readTextFile } from "./read-text-file.ts";
import { refusalOf } from "./testing/refusal.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "text-file-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const write = async (name: string, content: string | Uint8Array) => {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
};
const refusal = async (path: string) => {
  const { message, ...rest } = (await refusalOf(() => readTextFile(path, "the calls file"))) as {
    message: string;
  };
  return { message: message.replace(JSON.stringify(path), "FILE"), ...rest };
};
const because = (why: string) => ({
  code: "INVALID_PATH",
  message: `Cannot read the calls file FILE: ${why}`,
  remediation: "Name a file of UTF-8 text, of 10 MB at most, that can be read as the calls file.",
  field: "the calls file",
});

describe("a text file", () => {
  it("is read without its byte order mark", async () => {
    expect(await readTextFile(await write("a", "\uFEFFäöü\n"), "the file")).toBe("äöü\n");
    const long = "語".repeat(200_000);
    expect((await readTextFile(await write("b", long), "the file")) === long).toBe(true);
    expect(await readTextFile(await write("c", ""), "the file")).toBe("");
  });

  it("is refused where it is missing or a folder", async () => {
    await mkdir(join(folder, "sub"));
    const file = await write("plain", "x");
    expect(await refusal(join(folder, "none"))).toEqual(because("there is no such file"));
    expect(await refusal(join(folder, "sub"))).toEqual(because("it is a folder"));
    expect(await refusal(join(file, "below"))).toEqual(because("a part of its path is no folder"));
    expect(await refusal("a\0b")).toEqual(because("it cannot be read"));
  });

  it("is refused where it is not UTF-8", async () => {
    expect(await refusal(await write("latin", Buffer.from([0x61, 0xe4])))).toEqual(
      because("it is no UTF-8 text"),
    );
  });

  it("is refused beyond 10 MB", async () => {
    const most = 10 * 2 ** 20;
    expect(await refusal(await write("big", Buffer.alloc(most + 1, 0x61)))).toEqual(
      because("it is larger than 10 MB"),
    );
    expect((await readTextFile(await write("most", Buffer.alloc(most, 0x61)), "the file")).length).toBe(most);
  });

  it.skipIf(process.platform === "win32")("is refused beyond 10 MB where its size is unknown", async () => {
    expect(await refusal("/dev/zero")).toEqual(because("it is larger than 10 MB"));
  });

  // Root may read every file.
  it.skipIf(process.getuid?.() === 0 || process.platform === "win32")(
    "is refused without permission",
    async () => {
      const path = await write("closed", "x");
      await chmod(path, 0);
      expect(await refusal(path)).toEqual(because("permission is denied"));
    },
  );
});
