/** Runs the tests that depend on the files changed since the branch left main. Run with `npm run test:changed`. */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findAffectedTests } from "./affected-tests.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const git = (...args: readonly string[]) =>
  execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\n").filter(Boolean);

const base = process.argv[2] ?? "main";
const [fork = "HEAD"] = git("merge-base", base, "HEAD");
const changed = [
  ...new Set([...git("diff", "--name-only", fork), ...git("ls-files", "--others", "--exclude-standard")]),
];
const paths = [
  ...git(
    "ls-files",
    "--cached",
    "--others",
    "--exclude-standard",
    "packages/*.ts",
    "test/*.ts",
    "scripts/*.ts",
  ),
];
const readable = paths.flatMap((path) => {
  try {
    return [[path, readFileSync(join(root, path), "utf8")] as const];
  } catch {
    // The file is deleted, but not in the index yet.
    return [];
  }
});
const tests = findAffectedTests(new Map(readable), changed);
console.log(`${changed.length} changed files since ${base}, ${tests.length} test files depend on them`);
if (tests.length > 0) {
  const run = spawnSync("npx", ["vitest", "run", "--project=!prove", ...tests], {
    cwd: root,
    stdio: "inherit",
  });
  process.exitCode = run.status ?? 1;
}
