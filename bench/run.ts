import { parseArgs } from "node:util";
import { halves } from "../test/research/sets/question-sets.ts";
import { cli } from "./cli.bench.ts";
import { contract } from "./contract.bench.ts";
import { digest } from "./digest.bench.ts";
import { gateway } from "./gateway.bench.ts";
import { harness } from "./harness.bench.ts";
import { jobs } from "./jobs.bench.ts";
import { peers } from "./peers.bench.ts";
import { policies } from "./policies.bench.ts";
import { postgres } from "./postgres.bench.ts";
import { type Bench, type BenchOptions, toTables, writeResults } from "./report.ts";
import { research } from "./research.bench.ts";
import { specs } from "./specs.bench.ts";
import { start } from "./start.bench.ts";
import { toolkit } from "./toolkit.bench.ts";
import { writers } from "./writers.bench.ts";

// To add a bench, import its module above and add the bench to this list.
const benches: readonly Bench[] = [
  ...[
    contract,
    harness,
    toolkit,
    policies,
    jobs,
    gateway,
    cli,
    start,
    specs,
    writers,
    postgres,
    digest,
    research,
  ],
  peers,
];

const usage = `Usage: npm run bench -- [--quick] [--half ${halves.join("|")}] [name…]\nKnown benches: ${benches.map((each) => each.name).join(", ")}`;

process.exitCode = await runBenches(process.argv.slice(2));

async function runBenches(args: string[]): Promise<number> {
  const request = parseRequest(args);
  if (typeof request === "string") {
    console.error(`${request}\n${usage}`);
    return 2;
  }

  let exitCode = 0;
  for (const bench of request.chosen) {
    try {
      await runBench(bench, request.options);
    } catch (error) {
      // If one bench fails, the remaining benches still run, because one broken competitor must not hide all
      // other figures.
      console.error(`Bench "${bench.name}" failed:`, error);
      exitCode = 1;
    }
  }
  return exitCode;
}

async function runBench(bench: Bench, options: BenchOptions): Promise<void> {
  console.log(`\n${bench.name}: ${bench.title}\n`);
  const sections = await bench.run(options);
  for (const section of sections) console.log(`${toTables(section)}\n`);
  if (sections.length === 0) return;
  // A smoke run must not replace the results, because the documentation quotes them.
  console.log(
    options.quick
      ? "Quick run: nothing claimed, nothing written."
      : `Wrote ${await writeResults(bench, sections)}`,
  );
}

function parseRequest(args: string[]): { chosen: readonly Bench[]; options: BenchOptions } | string {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { quick: { type: "boolean", default: false }, half: { type: "string", default: "tune" } },
    });
    const unknown = positionals.find((name) => !benches.some((each) => each.name === name));
    if (unknown !== undefined) return `Unknown bench "${unknown}".`;
    const chosen = benches.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
    const half = halves.find((name) => name === values.half);
    if (half === undefined) return `Unknown half "${values.half}".`;
    return { chosen, options: { quick: values.quick, half } };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
