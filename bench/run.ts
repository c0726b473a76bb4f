import { parseArgs } from "node:util";
import { cli } from "./cli.bench.ts";
import { contract } from "./contract.bench.ts";
import { digest } from "./digest.bench.ts";
import { harness } from "./harness.bench.ts";
import { policies } from "./policies.bench.ts";
import { postgres } from "./postgres.bench.ts";
import { type Bench, toTables, writeResults } from "./report.ts";
import { specs } from "./specs.bench.ts";
import { toolkit } from "./toolkit.bench.ts";

// To add a bench, import it and add it here.
const benches: readonly Bench[] = [contract, harness, toolkit, policies, cli, specs, postgres, digest];

const usage = `Usage: npm run bench -- [--quick] [name…]\nKnown benches: ${benches.map((each) => each.name).join(", ")}`;

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
      await runBench(bench, request.quick);
    } catch (error) {
      // The others still run: one broken peer must not hide every other figure.
      console.error(`Bench "${bench.name}" failed:`, error);
      exitCode = 1;
    }
  }
  return exitCode;
}

async function runBench(bench: Bench, quick: boolean): Promise<void> {
  console.log(`\n${bench.name}: ${bench.title}\n`);
  const sections = await bench.run({ quick });
  for (const section of sections) console.log(`${toTables(section)}\n`);
  // The documentation quotes the results: a smoke run must not replace them.
  console.log(
    quick ? "Quick run: nothing claimed, nothing written." : `Wrote ${await writeResults(bench, sections)}`,
  );
}

function parseRequest(args: string[]): { chosen: readonly Bench[]; quick: boolean } | string {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { quick: { type: "boolean", default: false } },
    });
    const unknown = positionals.find((name) => !benches.some((each) => each.name === name));
    if (unknown !== undefined) return `Unknown bench "${unknown}".`;
    const chosen = benches.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
    return { chosen, quick: values.quick };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
