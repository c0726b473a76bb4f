import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readNamedFile } from "./named-file.ts";

const folder = mkdtempSync(join(tmpdir(), "read-file-"));
afterAll(() => rmSync(folder, { recursive: true }));

const read = async (path: string, signal?: AbortSignal) =>
  (await readNamedFile(path, { signal })).toString("utf8");

describe.skipIf(process.platform === "win32")("the content of a file", () => {
  it("is read whole where it lies there", async () => {
    const path = join(folder, "plain");
    writeFileSync(path, "x".repeat(300_000));
    expect(await read(path)).toHaveLength(300_000);
    expect(await read("/dev/null")).toBe("");
    await expect(read(folder)).rejects.toMatchObject({ code: "EISDIR" });
  });

  it.each(["/dev/zero", "large"])("of %s is read up to the limit", async (name) => {
    const path = resolve(folder, name);
    writeFileSync(join(folder, "large"), "x".repeat(1_001));
    await expect(readNamedFile(path, { maxBytes: 1_000 })).rejects.toMatchObject({
      code: "CONTENT_TOO_LARGE",
      message: `Cannot read ${JSON.stringify(path)}: it has more than 1,000 bytes`,
      options: { remediation: "Name a file of at most 1,000 bytes." },
    });
  });

  it("is waited for where somebody is still to write it", async () => {
    const path = join(folder, "pipe");
    execFileSync("mkfifo", [path]);
    const given = read(path);
    spawn("sh", ["-c", 'exec 3> "$0"; printf one >&3; sleep 0.05; printf two >&3', path], {
      stdio: "ignore",
    });
    expect(await given).toBe("onetwo");
  });

  it("is not waited for when the signal fires", async () => {
    const path = join(folder, "silent");
    execFileSync("mkfifo", [path]);
    const ending = new AbortController();
    const reading = read(path, ending.signal);
    setImmediate(() => ending.abort());
    await expect(reading).rejects.toMatchObject({ name: "AbortError" });
  });
});
