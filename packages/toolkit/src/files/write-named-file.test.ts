import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { requireWritableFile, writeNamedFile } from "./write-named-file.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "write-named-")));
const repository = join(base, "repository");
const outside = join(base, "outside.txt");

beforeAll(() => {
  mkdirSync(join(repository, "sub"), { recursive: true });
  writeFileSync(outside, "mine");
  vi.spyOn(process, "cwd").mockReturnValue(repository);
});
afterAll(() => {
  vi.restoreAllMocks();
  rmSync(base, { recursive: true });
});

describe("a file that a person names", () => {
  it("is written where it is named, also outside of the working folder and to a device", async () => {
    await writeNamedFile("report.xml", "<a/>");
    expect(readFileSync(join(repository, "report.xml"), "utf8")).toBe("<a/>");
    await writeNamedFile(join(base, "other.xml"), "<b/>");
    expect(readFileSync(join(base, "other.xml"), "utf8")).toBe("<b/>");
    await writeNamedFile("/dev/null", "<c/>");
  });

  it("is left as it is by the check, and not created", async () => {
    await requireWritableFile(join(base, "outside.txt"));
    await requireWritableFile("new.xml");
    expect([readFileSync(outside, "utf8"), existsSync(join(repository, "new.xml"))]).toEqual(["mine", false]);
  });

  it.each([
    ["link.xml", () => symlinkSync(outside, join(repository, "link.xml")), "a link leads out of the folder"],
    ["up/new.xml", () => symlinkSync(base, join(repository, "up")), "a link leads out of the folder"],
    [
      "gone.xml",
      () => symlinkSync(join(base, "absent"), join(repository, "gone.xml")),
      "it is a broken link",
    ],
    ["pipe.xml", () => execFileSync("mkfifo", [join(repository, "pipe.xml")]), "it is a named pipe"],
    ["sub", () => {}, "it is a folder"],
  ] as const)("in the working folder is refused as %s", async (path, prepare, why) => {
    prepare();
    for (const write of [() => requireWritableFile(path), () => writeNamedFile(path, "x")])
      await expect(write()).rejects.toMatchObject({
        code: "INVALID_PATH",
        message: `Cannot write ${JSON.stringify(path)}: ${why}`,
      });
    expect(readFileSync(outside, "utf8")).toBe("mine");
    expect(existsSync(join(base, "absent"))).toBe(false);
    expect(existsSync(join(base, "new.xml"))).toBe(false);
  });
});
