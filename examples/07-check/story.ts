// Checks a server as a pipeline does: the exit code decides, and a JUnit file shows the broken rules. The story prints
// real output and checks itself: any deviation ends it with an error.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "foundry-story-"));
const junit = join(folder, "contract.xml");

/** Runs the command of the pipeline. In your own project, this is `npx foundry-mcp contract check`. */
function check(...server: readonly string[]): { code: number | null; rules: readonly string[] } {
  const cli = at("../../../packages/foundry/bin/foundry-cli.cjs");
  const args = [cli, "contract", "check", "--junit", junit, "--time-limit", "120"];
  const { status, stdout } = spawnSync(process.execPath, [...args, "--", process.execPath, ...server], {
    encoding: "utf8",
  });
  const { data } = JSON.parse(stdout) as { data: { details?: { rules?: readonly string[] } } };
  return { code: status, rules: data.details?.rules ?? [] };
}

const count = (pattern: RegExp) => [...readFileSync(junit, "utf8").matchAll(pattern)].length;

try {
  step("1. A server that answers with sentences: the exit code is not 0, and the broken rules are named");
  const broken = check(at("./server.js"));
  console.log(`exit code ${broken.code}, broken rules: ${broken.rules.join(", ")}`);
  assert.equal(broken.code, 1);
  assert(broken.rules.includes("RV2-01"));

  step("2. The JUnit file has a test case for each rule, and a failure for each broken rule");
  const failures = count(/<failure /g);
  console.log(`${failures} failures`);
  assert.equal(failures, broken.rules.length);
  assert(count(/<testcase /g) > 50);

  step("3. The same tool, built with the toolkit, keeps every rule");
  const fixed = check(at("./server.js"), "fixed");
  console.log(`exit code ${fixed.code}, broken rules: ${fixed.rules.length}`);
  assert.deepEqual(fixed, { code: 0, rules: [] });
  assert.equal(count(/<failure /g), 0);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

console.log("\nAll three steps hold.");

function step(title: string): void {
  console.log(`\n${title}`);
}
