import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { diffLines } from "./line-diff.ts";

const folder = mkdtempSync(join(tmpdir(), "line-diff-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Applies a diff with git, which also checks every line number and every context line. */
function patched(before: string, hunks: string): string {
  writeFileSync(join(folder, "file"), before);
  writeFileSync(join(folder, "patch"), `--- a/file\n+++ b/file\n${hunks}`);
  const { status, stderr } = spawnSync("git", ["apply", "--unidiff-zero", "patch"], {
    cwd: folder,
    env: { PATH: process.env["PATH"], GIT_CEILING_DIRECTORIES: tmpdir(), GIT_CONFIG_GLOBAL: "/dev/null" },
  });
  if (status !== 0) throw new Error(String(stderr));
  return spawnSync("cat", ["file"], { cwd: folder, encoding: "utf8" }).stdout;
}

const text = fc
  .array(fc.constantFrom("a\n", "b\n", "c\n", "\n", "a\r\n"), { maxLength: 30 })
  .chain((lines) => fc.constantFrom(lines.join(""), `${lines.join("")}end`));

describe("a diff of lines", () => {
  test("shows what was changed, with three lines around it", () => {
    const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    expect(diffLines(before, before.replace("5\n", "five\n5a\n"))).toEqual({
      added: 2,
      removed: 1,
      hunks: "@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n+5a\n 6\n 7\n 8\n",
    });
  });

  test.each([
    ["equal texts", "a\n", "a\n", ""],
    ["a new file", "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"],
    ["a removed file", "a\n", "", "@@ -1 +0,0 @@\n-a\n"],
    ["a missing line end", "a\nb\n", "a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n"],
  ])("%s", (_name, before, after, hunks) => {
    expect(diffLines(before, after).hunks).toBe(hunks);
  });

  test("separates changes that are far apart", () => {
    const lines = Array.from({ length: 40 }, (_, at) => `${at}\n`);
    const { hunks } = diffLines(lines.join(""), lines.join("").replace("3\n", "x\n").replace("30\n", "y\n"));
    expect(hunks.match(/^@@.*@@$/gm)).toEqual(["@@ -1,7 +1,7 @@", "@@ -28,7 +28,7 @@"]);
  });

  test("turns the one text into the other, whatever they are", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { hunks, added, removed } = diffLines(before, after);
        expect(added - removed).toBe(countOf(after) - countOf(before));
        if (before === after) expect(hunks).toBe("");
        // git refuses patches of empty files.
        else if (before !== "" && after !== "") expect(patched(before, hunks)).toBe(after);
      }),
      { numRuns: 60 },
    );
  });

  test("ends for texts that have nothing in common", () => {
    const many = (word: string) => Array.from({ length: 60_000 }, (_, at) => `${word} ${at}\n`).join("");
    const { added, removed } = diffLines(many("a"), many("b"));
    expect([added, removed]).toEqual([60_000, 60_000]);
  });
});

function countOf(lines: string): number {
  return lines.match(/[^\n]*\n|[^\n]+$/g)?.length ?? 0;
}
