/**
 * Runs the tests with each supported version of Node. The package `node` of npm contains its programs. Run with
 * `npm run test:nodes`; further arguments are the versions and test files: `npm run test:nodes -- 22 24 test/toolkit`.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const supported = ["20", "22", "24"];
const root = fileURLToPath(new URL("../../", import.meta.url));

const given = process.argv.slice(2);
const chosen = given.filter((each) => supported.includes(each));
const files = given.filter((each) => !supported.includes(each));
const failed: string[] = [];

for (const major of chosen.length > 0 ? chosen : supported) {
  const bin = installNode(major);
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}` };
  const program = join(bin, "node");
  const version = spawnSync(program, ["--version"], { encoding: "utf8" }).stdout.trim();
  console.log(`\n== Node ${version}`);
  const isProof = files.some((file) => file.includes(".prove.") || file.includes("packing"));
  const project = isProof ? "prove" : "!prove";
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const { status } = spawnSync(program, [vitest, "run", `--project=${project}`, ...files], {
    cwd: root,
    stdio: "inherit",
    env,
  });
  if (status !== 0) failed.push(version);
}
if (failed.length > 0) {
  console.error(`Tests failed with Node ${failed.join(", ")}`);
  process.exitCode = 1;
}

/** Installs a version of Node, and returns the folder of its programs. */
function installNode(major: string): string {
  const folder = join(root, ".build/nodes", major);
  const bin = join(folder, "node_modules/node/bin");
  if (existsSync(join(bin, "node"))) return bin;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  // The install script of the package copies the program from a package for this platform.
  const args = ["install", "--no-audit", "--no-fund", "--prefer-offline", `node@${major}`];
  const { status } = spawnSync("npm", args, { cwd: folder, stdio: "inherit" });
  if (status !== 0 || !existsSync(join(bin, "node")))
    throw new Error(`Cannot install Node ${major} from npm`);
  return bin;
}
