// Runs the official conformance suites against the fixture server: npm run conformance.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judge, type Verdict } from "./judge.ts";
import { startFixture } from "./processes.ts";
import { readChecks } from "./read-checks.ts";
import { runSuite } from "./run-suite.ts";
import { type Suite, suites } from "./suites.ts";

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
