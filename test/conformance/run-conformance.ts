// Runs the official conformance suites against the fixture server: npm run conformance.
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { judge, type Verdict } from "./judge.ts";
import { startFixture, startNode, stop } from "./processes.ts";
import { readChecks } from "./read-checks.ts";
import { type Suite, suites } from "./suites.ts";

/** The maximum duration of a suite. A suite takes a few seconds, so a suite that takes this long has hung. */
const maxRunMs = 120_000;
const head = ["suite", "scenarios", "passed", "failed", "not scored"];

process.exitCode = await runConformance();

async function runConformance(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "conformance-"));
  // The folder is removed on every exit, including an exit after a signal.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const verdicts: Verdict[] = [];
  for (const [index, suite] of suites.entries()) {
    verdicts.push(await checkSuite(suite, join(folder, String(index))));
  }
  process.stdout.write(`${toTable(verdicts)}\n`);
  const faults = verdicts.flatMap(({ suite, faults }) => faults.map((fault) => `${suite.title}: ${fault}`));
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  return faults.length === 0 ? 0 : 1;
}

/** Runs a suite against a freshly started server and judges its checks. */
async function checkSuite(suite: Suite, folder: string): Promise<Verdict> {
  const fixture = await startFixture();
  try {
    const output = await runSuite(suite, fixture.url, folder);
    const verdict = judge(suite, await readChecks(folder), output);
    // If there is no scenario, the suite did not run, and only its output contains the reason.
    if (verdict.scored.scenarios === 0) process.stderr.write(`${output}\n`);
    return verdict;
  } finally {
    await fixture.close();
  }
}

/** Runs a suite, which writes its checks to `folder`. Returns the output of the suite. */
async function runSuite({ package: name, args }: Suite, url: string, folder: string): Promise<string> {
  const home = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  const shim = new URL("./glob-sync-shim.js", import.meta.url).href;
  const script = join(home, "dist/index.js");
  const child = startNode(["--import", shim, script, "server", "--url", url, ...args, "-o", folder]);
  const timer = setTimeout(() => void stop(child), maxRunMs);
  // Both streams are read completely, because a full pipe would block the suite.
  const output = Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : "")));
  await once(child, "exit");
  clearTimeout(timer);
  return (await output).join("\n");
}

function toTable(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(({ suite, scored, notScored }) => [
    suite.title,
    String(scored.scenarios),
    String(scored.passed),
    String(scored.failed),
    `${notScored.scenarios} (${notScored.passed} passed, ${notScored.failed} failed)`,
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const toLine = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [toLine(head), toLine(widths.map((width) => "-".repeat(width))), ...rows.map(toLine)].join("\n");
}
