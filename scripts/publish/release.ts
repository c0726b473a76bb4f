/**
 * Releases the packages. Run with `npm run release -- --dry-run`, which does everything except the tag and the
 * publication. `--prepare VERSION` writes a new version to all files; a person then reviews and commits them.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { closeUnreleased, findNotes } from "./release-notes.ts";
import { createSbom } from "./sbom.ts";
import { stagePackages } from "./stage-packages.ts";
import { readVersion, versionPattern, writeVersion } from "./write-version.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const out = join(root, ".build/release");
const changelogPath = join(root, "CHANGELOG.md");

const { values } = parseArgs({
  options: {
    "dry-run": { type: "boolean", default: false },
    "no-tests": { type: "boolean", default: false },
    prepare: { type: "string" },
  },
});

try {
  if (values.prepare !== undefined) prepare(values.prepare);
  else await release({ isDryRun: values["dry-run"], hasTests: !values["no-tests"] });
} catch (err) {
  process.stderr.write(`${err instanceof Error ? err.message : String(err)}\n`);
  process.exitCode = 1;
}

/** Writes a version to all files that contain the version. */
function prepare(version: string): void {
  if (!versionPattern.test(version))
    throw new Error(`Cannot prepare "${version}": write a version such as 1.2.0`);
  const day = new Date().toISOString().slice(0, 10);
  const changelog = closeUnreleased(readFileSync(changelogPath, "utf8"), version, day);
  writeVersion(root, version);
  writeFileSync(changelogPath, changelog);
  say(`Version ${version} is written. Next: npm run generate, git commit, npm run release -- --dry-run`);
}

async function release({ isDryRun, hasTests }: { isDryRun: boolean; hasTests: boolean }): Promise<void> {
  const version = readVersion(root);
  const tag = `v${version}`;
  say(`Release ${tag}${isDryRun ? " (dry run: no tag, nothing is published)" : ""}`);

  const isClean = git("status", "--porcelain") === "";
  const isTagged = git("tag", "--list", tag) !== "";
  const changelog = readFileSync(changelogPath, "utf8");
  const notes = findNotes(changelog, version) ?? (isDryRun ? findNotes(changelog, "Unreleased") : undefined);
  const problems = [
    ...(isClean ? [] : ["the working tree has changes that are not committed"]),
    ...(isTagged ? [`the tag ${tag} exists`] : []),
    ...(notes === undefined ? [`CHANGELOG.md has no section of ${version}: run --prepare ${version}`] : []),
  ];
  for (const problem of problems) say(`  ! ${problem}`);
  if (problems.length > 0 && !isDryRun) throw new Error("Cannot release: see the problems above");

  if (hasTests) step("check types, lint, format and tests", "npm", ["test"]);
  else step("check types, lint and format", "npm", ["run", "--silent", "check"]);

  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const repository = findRepository();
  if (repository === undefined)
    say("  ! no git remote: package.json names no repository, which provenance needs");
  const staged = await stagePackages(join(root, ".build/packages"), repository);
  step("pack", "npm", ["pack", "--pack-destination", out, ...staged]);
  const tarballs = readdirSync(out).filter((name) => name.endsWith(".tgz"));

  // These proofs run publint and attw, import every entry point, and install with npm into an empty folder.
  step(
    "install the packed packages, check their entry points and types",
    "npx",
    [...["vitest", "run", "--project", "prove", "test/packing/packing"]],
    { FOUNDRY_TEST_TARBALLS: out },
  );

  const sbom = createSbom(staged, join(root, "node_modules"));
  writeFileSync(join(out, "sbom.cdx.json"), `${JSON.stringify(sbom, null, 2)}\n`);
  writeFileSync(join(out, "notes.md"), notes ?? "");
  const files = readdirSync(out).toSorted();
  const sums = files.map((name) => `${sha256(join(out, name))}  ${name}\n`);
  writeFileSync(join(out, "SHA256SUMS"), sums.join(""));
  say(`Written to .build/release: ${[...files, "SHA256SUMS"].join(", ")}`);

  const commands = [
    ["git", "tag", "--annotate", tag, "--message", `Foundry ${version}`],
    ...inOrder(tarballs).map((name) => [
      ...["npm", "publish", join(out, name), "--access", "public"],
      // npm creates provenance only in a workflow with an identity token.
      ...(process.env["ACTIONS_ID_TOKEN_REQUEST_URL"] === undefined ? [] : ["--provenance"]),
      ...(version.includes("-") ? ["--tag", "next"] : []),
    ]),
  ];
  for (const [command = "", ...args] of commands) {
    if (isDryRun) say(`Left out: ${command} ${args.map((each) => basename(each)).join(" ")}`);
    else step(`${command} ${args[0]}`, command, args);
  }
  say(problems.length === 0 ? "Everything is ready." : `Ready, except: ${problems.join("; ")}.`);
}

/** Sorts tarballs so that dependencies are published first. */
function inOrder(tarballs: readonly string[]): readonly string[] {
  const ranks = ["foundry-mcp-contract-", "foundry-mcp-toolkit-", ""];
  const rank = (name: string) => ranks.findIndex((start) => name.startsWith(start));
  return tarballs.toSorted((one, other) => rank(one) - rank(other));
}

/** Returns the URL of the repository from the git remote. */
function findRepository(): string | undefined {
  const url = git("remote", "get-url", "origin");
  return /^(https:|git@|ssh:)/.test(url) ? url : undefined;
}

function step(
  name: string,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): void {
  const begun = Date.now();
  say(`\n== ${name}`);
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`Cannot release: "${name}" failed`);
  say(`== ${name}: ${((Date.now() - begun) / 1_000).toFixed(0)} s`);
}

function git(...args: readonly string[]): string {
  const { stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  return stdout.trim();
}

function sha256(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
