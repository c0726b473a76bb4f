import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sampleSpec, writeSpec } from "../specs/sample-specs.ts";
import { toPercentiles } from "./latencies.ts";

/** The times of the changes of several processes. */
export interface TurnRow {
  readonly row: string;
  readonly changes: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
  /** The longest time divided by the median. */
  readonly longest: number;
}

const worker = fileURLToPath(new URL("turn-worker.js", import.meta.url));

/** Measures how long processes wait for each other if all of them change the same spec without a pause. */
export async function measureTurns(isQuick: boolean): Promise<readonly TurnRow[]> {
  const rows: TurnRow[] = [];
  const baseline = process.env["BENCH_BASELINE"];
  const versions = [
    { version: "", store: import.meta.resolve("#built/foundry/specs/stores/file-store/file-store.js") },
    ...(baseline === undefined
      ? []
      : [
          {
            version: "baseline, ",
            store: join(baseline, "packages/foundry/dist/specs/stores/file-store/file-store.js"),
          },
        ]),
  ];
  for (const processes of [4, 8])
    for (const { version, store } of versions) {
      const times = await runTurns(processes, isQuick ? 500 : 4_000, store);
      const { p50, p95, max } = toPercentiles(times);
      const row = `${version}${processes} processes`;
      rows.push({ row, changes: times.length, p50, p95, max, longest: Number((max / p50).toFixed(1)) });
    }
  return rows;
}

async function runTurns(processes: number, ms: number, store: string): Promise<readonly number[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-turns-"));
  try {
    await writeSpec(folder, "one", sampleSpec(200, "one", false));
    const workers = Array.from({ length: processes }, () => fork(worker, [folder, store, String(ms)]));
    const exits = workers.map((each) => once(each, "exit"));
    await Promise.all(workers.map((each) => once(each, "message")));
    for (const each of workers) each.send("go");
    const told = await Promise.all(workers.map((each) => once(each, "message")));
    await Promise.all(exits);
    return told.flatMap(([times]) => times as number[]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
