import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { toMeasurement } from "../measure.ts";
import type { Section } from "../report.ts";
import type { Wave } from "./memory-probe.ts";
import { again } from "./tables.ts";

/** One row of the table of memory, in MB. Heap and RSS are measured after the last of several waves. */
export interface MemoryRow {
  readonly offered: string;
  readonly ran: number;
  readonly waited: number;
  readonly refused: number;
  readonly heapBefore: number;
  readonly heapHeld: number;
  readonly heapAfter: number;
  readonly rssBefore: number;
  readonly rssPeak: number;
  readonly rssHeld: number;
  readonly rssAfter: number;
}

/** A section with a table of memory sizes in addition to the usual table of times. */
export interface MemorySection extends Section {
  readonly memory: readonly MemoryRow[];
}

const perTick = 1_000;

/**
 * Makes 1,000, 10,000 and 100,000 calls. The calls are made either all in one tick, or a thousand per tick as over a
 * transport.
 */
export async function measureMemory(): Promise<MemorySection> {
  const offers = [
    { name: "1,000 at once", calls: 1_000, perTick: 1_000 },
    { name: again("1,000 at once"), calls: 1_000, perTick: 1_000 },
    { name: "10,000 at once", calls: 10_000, perTick: 10_000 },
    { name: "100,000 at once", calls: 100_000, perTick: 100_000 },
    { name: "10,000 by the thousand", calls: 10_000, perTick },
    { name: "100,000 by the thousand", calls: 100_000, perTick },
  ];
  const probed: { name: string; samples: number[]; memory: MemoryRow }[] = [];
  for (const offer of offers) {
    // Each measurement runs in a separate process, so that memory left over from one measurement does not
    // count for the next.
    const waves = await probe(offer.calls, offer.perTick);
    const samples = waves.map(({ ms }) => ms / offer.calls);
    probed.push({ name: offer.name, samples, memory: toMemoryRow(offer.name, waves) });
  }
  return {
    title: "In process, calls offered while none ends (256 may run, 1,024 wait): time per offered call",
    result: toMeasurement(probed, "1,000 at once"),
    memory: probed.map(({ memory }) => memory),
  };
}

async function probe(calls: number, callsPerTick: number): Promise<readonly Wave[]> {
  const file = fileURLToPath(new URL("memory-probe.js", import.meta.url));
  const args = ["--expose-gc", file, String(calls), String(callsPerTick)];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { PATH: process.env["PATH"], NODE_ENV: "production" },
  });
  return JSON.parse(stdout) as Wave[];
}

function toMemoryRow(offered: string, waves: readonly Wave[]): MemoryRow {
  const first = waves[0];
  const last = waves.at(-1);
  if (first === undefined || last === undefined) throw new Error("The probe told nothing.");
  const { ran, waited, refused } = last;
  return {
    offered,
    ran,
    waited,
    refused,
    heapBefore: toMegabytes(first.before.heap),
    heapHeld: toMegabytes(last.held.heap),
    heapAfter: toMegabytes(last.after.heap),
    rssBefore: toMegabytes(first.before.rss),
    rssPeak: toMegabytes(Math.max(...waves.map(({ peak }) => peak.rss))),
    rssHeld: toMegabytes(last.held.rss),
    rssAfter: toMegabytes(last.after.rss),
  };
}

function toMegabytes(bytes: number): number {
  return Math.round(bytes / 1e5) / 10;
}
