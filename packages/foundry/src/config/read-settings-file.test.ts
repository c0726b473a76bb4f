import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readSettingsFile } from "./read-settings-file.ts";

let folder: string;
let outside: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "settings-"));
  outside = mkdtempSync(join(tmpdir(), "settings-outside-"));
  path = join(folder, "foundry.toml");
  writeFileSync(join(outside, "foundry.toml"), "history = 7\n");
});
afterEach(() => {
  for (const each of [folder, outside]) rmSync(each, { recursive: true });
});

describe.skipIf(process.platform === "win32")("a settings file", () => {
  it("that is a link out of its folder is read for its user, and refused in a workspace", async () => {
    symlinkSync(join(outside, "foundry.toml"), path);
    expect(await readSettingsFile(path, "user")).toEqual({ path, values: { history: 7 } });
    await expect(readSettingsFile(path, "workspace")).rejects.toMatchObject({
      code: "INVALID_PATH",
      message: 'Cannot read "foundry.toml": a link leads out of the folder',
    });
  });

  it.each(["workspace", "user"] as const)("of a %s is a plain file of few bytes", async (source) => {
    execFileSync("mkfifo", [path]);
    await expect(readSettingsFile(path, source)).rejects.toMatchObject({
      code: "INVALID_PATH",
      message: expect.stringMatching(/: it is a named pipe$/),
    });
    rmSync(path);
    writeFileSync(path, "");
    truncateSync(path, 2 ** 36);
    await expect(readSettingsFile(path, source)).rejects.toMatchObject({ code: "CONTENT_TOO_LARGE" });
  });
});
