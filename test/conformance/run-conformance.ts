// Runs the official conformance suites against the fixture server: npm run conformance.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judge, type Verdict } from "./judge.ts";
import { readChecks } from "./read-checks.ts";
import { runSuite } from "./run-suite.ts";
import { startFixture } from "./processes.ts";
import { type Suite, suites } from "./suites.ts";
import { toTable } from "./table.ts";

process.exitCode = await runConformance();

async function runConformance(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "conformance-"));
  // However the run ends, on a signal too.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const verdicts: Verdict[] = [];
  for (const [index, suite] of suites.entries()) {
    verdicts.push(await runOne(suite, join(folder, String(index))));
  }
  process.stdout.write(`${toTable(verdicts)}\n`);
  const faults = verdicts.flatMap(({ suite, faults }) => faults.map((fault) => `${suite.title}: ${fault}`));
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  return faults.length === 0 ? 0 : 1;
}

/** Each suite meets a server that nobody has talked to. */
async function runOne(suite: Suite, folder: string): Promise<Verdict> {
  const fixture = await startFixture();
  try {
    const said = await runSuite(suite, fixture.url, folder);
    const verdict = judge(suite, await readChecks(folder), said);
    // A suite that found nothing at all did not run: only its own words tell why.
    if (verdict.scored.scenarios === 0) process.stderr.write(`${said}\n`);
    return verdict;
  } finally {
    await fixture.close();
  }
}
